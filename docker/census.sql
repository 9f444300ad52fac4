-- A synthetic census to try kanon on, and a user with no more rights than kanon needs:
-- it reads the source and creates schemas of its own (work tables, register, releases).
-- Written by the test suite (pytest --regenerate), not by hand.
create role anonymizer login password 'anonymizer';
grant create on database census to anonymizer;
create schema census;
create table census.people as
with mixed as (
    select
        (i * 1409582216 + 1195404838) % 2147483579 as person,
        (i * 1415281468 + 1196032222) % 2147483579 as first_name,
        (i * 1716996007 + 1430966553) % 2147483579 as last_name,
        (i * 1881414906 + 569297510) % 2147483579 as sex,
        (i * 1491655801 + 769884309) % 2147483579 as age,
        (i * 1170247096 + 1347575561) % 2147483579 as birth_day,
        (i * 1713688698 + 368117554) % 2147483579 as region,
        (i * 1178683611 + 276433002) % 2147483579 as district,
        (i * 1671988185 + 499661138) % 2147483579 as race,
        (i * 1140570639 + 1525528128) % 2147483579 as abroad,
        (i * 1533484572 + 311552503) % 2147483579 as marital,
        (i * 1965508647 + 418684748) % 2147483579 as education,
        (i * 1343048454 + 1206039564) % 2147483579 as workclass,
        (i * 2056288217 + 1785211242) % 2147483579 as occupation,
        (i * 1527747217 + 1701291313) % 2147483579 as hours,
        (i * 1761775204 + 1889408592) % 2147483579 as income,
        (i * 1759677753 + 87283316) % 2147483579 as bmi,
        (i * 1125005572 + 1497544208) % 2147483579 as insured,
        (i * 1868567539 + 82474321) % 2147483579 as visits,
        (i * 1374863789 + 1165642689) % 2147483579 as last_visit,
        (i * 1602112733 + 1938023932) % 2147483579 as recorded,
        (i * 1141029344 + 2005939824) % 2147483579 as diagnosis,
        (i * 2014996003 + 594855941) % 2147483579 as note,
        (i * 1925559372 + 1356133898) % 2147483579 as missing
    from generate_series(0::bigint, 50000 - 1) as numbers(i)
),
hashed as (
    select
        person * person % 2147483579 * person % 2147483579 as person,
        first_name * first_name % 2147483579 * first_name % 2147483579 as first_name,
        last_name * last_name % 2147483579 * last_name % 2147483579 as last_name,
        sex * sex % 2147483579 * sex % 2147483579 as sex,
        age * age % 2147483579 * age % 2147483579 as age,
        birth_day * birth_day % 2147483579 * birth_day % 2147483579 as birth_day,
        region * region % 2147483579 * region % 2147483579 as region,
        district * district % 2147483579 * district % 2147483579 as district,
        race * race % 2147483579 * race % 2147483579 as race,
        abroad * abroad % 2147483579 * abroad % 2147483579 as abroad,
        marital * marital % 2147483579 * marital % 2147483579 as marital,
        education * education % 2147483579 * education % 2147483579 as education,
        workclass * workclass % 2147483579 * workclass % 2147483579 as workclass,
        occupation * occupation % 2147483579 * occupation % 2147483579 as occupation,
        hours * hours % 2147483579 * hours % 2147483579 as hours,
        income * income % 2147483579 * income % 2147483579 as income,
        bmi * bmi % 2147483579 * bmi % 2147483579 as bmi,
        insured * insured % 2147483579 * insured % 2147483579 as insured,
        visits * visits % 2147483579 * visits % 2147483579 as visits,
        last_visit * last_visit % 2147483579 * last_visit % 2147483579 as last_visit,
        recorded * recorded % 2147483579 * recorded % 2147483579 as recorded,
        diagnosis * diagnosis % 2147483579 * diagnosis % 2147483579 as diagnosis,
        note * note % 2147483579 * note % 2147483579 as note,
        missing * missing % 2147483579 * missing % 2147483579 as missing
    from mixed
),
people as (
    select
        hashed.*,
        case when sex % 10000 < 5080 then 'F' else 'M' end as sex_code,
        case when age % 10000 < 1450 then 16 + age % 9 when age % 10000 < 3550 then 25 + age % 10 when age % 10000 < 5550 then 35 + age % 10 when age % 10000 < 7300 then 45 + age % 10 when age % 10000 < 8850 then 55 + age % 10 when age % 10000 < 9890 then 65 + age % 10 when age % 10000 < 10000 then 75 + age % 15 end as years,
        case when region % 10000 < 2900 then '100' when region % 10000 < 5000 then '112' when region % 10000 < 6300 then '606' when region % 10000 < 7400 then '900' when region % 10000 < 8300 then '101' when region % 10000 < 9000 then '113' when region % 10000 < 9400 then '941' when region % 10000 < 9700 then '104' else '607' end as region_code
    from hashed
),
described as (
    select
        people.*,
        date '2025-12-31' - cast(years * 1461 / 4 + birth_day % 365 as integer) as born,
        case when region_code in ('100', '101', '104') then case when race % 10000 < 7000 then 'White' when race % 10000 < 8900 then 'Black' when race % 10000 < 9600 then 'Asian' when race % 10000 < 9940 then 'Other' else 'Indigenous' end when region_code in ('606', '607') then case when race % 10000 < 6300 then 'White' when race % 10000 < 9100 then 'Black' when race % 10000 < 9600 then 'Asian' when race % 10000 < 9960 then 'Other' else 'Indigenous' end when region_code in ('900', '941') then case when race % 10000 < 5900 then 'White' when race % 10000 < 8300 then 'Asian' when race % 10000 < 9200 then 'Other' when race % 10000 < 9900 then 'Black' else 'Indigenous' end else case when race % 10000 < 7700 then 'White' when race % 10000 < 9200 then 'Black' when race % 10000 < 9700 then 'Asian' when race % 10000 < 9950 then 'Other' else 'Indigenous' end end as race_name,
        case when years < 25 then case when marital % 10000 < 8600 then 'Never-married' when marital % 10000 < 9850 then 'Married' when marital % 10000 < 9930 then 'Separated' else 'Divorced' end when years < 35 then case when marital % 10000 < 5200 then 'Married' when marital % 10000 < 8900 then 'Never-married' when marital % 10000 < 9600 then 'Divorced' when marital % 10000 < 9980 then 'Separated' else 'Widowed' end when years < 50 then case when marital % 10000 < 6400 then 'Married' when marital % 10000 < 8100 then 'Divorced' when marital % 10000 < 9500 then 'Never-married' when marital % 10000 < 9900 then 'Separated' else 'Widowed' end when years < 65 then case when marital % 10000 < 6600 then 'Married' when marital % 10000 < 8500 then 'Divorced' when marital % 10000 < 9200 then 'Never-married' when marital % 10000 < 9700 then 'Widowed' else 'Separated' end else case when marital % 10000 < 5300 then 'Married' when marital % 10000 < 8400 then 'Widowed' when marital % 10000 < 9450 then 'Divorced' when marital % 10000 < 9900 then 'Never-married' else 'Separated' end end as marital_name,
        case
            when missing % 1000 = 7 then null
            else case when years < 20 then case when education % 10000 < 3000 then '11th' when education % 10000 < 5600 then 'HS-grad' when education % 10000 < 7900 then '12th' when education % 10000 < 9400 then 'Some-college' else '10th' end when years < 60 then case when education % 10000 < 2900 then 'HS-grad' when education % 10000 < 5200 then 'Bachelors' when education % 10000 < 7400 then 'Some-college' when education % 10000 < 8400 then 'Masters' when education % 10000 < 9250 then 'Assoc' when education % 10000 < 9500 then '11th' when education % 10000 < 9700 then '10th' when education % 10000 < 9870 then 'Doctorate' when education % 10000 < 9950 then '12th' else '9th' end else case when education % 10000 < 3900 then 'HS-grad' when education % 10000 < 5600 then 'Some-college' when education % 10000 < 7000 then 'Bachelors' when education % 10000 < 7900 then '10th' when education % 10000 < 8600 then '9th' when education % 10000 < 9200 then 'Masters' when education % 10000 < 9600 then 'Assoc' when education % 10000 < 9850 then '11th' when education % 10000 < 9950 then 'Doctorate' else '12th' end end
        end as education_name,
        case
            when years < 20 then hours % 100 < 35
            when years < 65 then hours % 100 < 88
            else hours % 100 < 10
        end as works,
        case
            when years < 35 then visits % 100 / 30
            when years < 65 then visits % 100 / 18
            else visits % 100 / 9
        end + case when visits / 128 % 40 = 0 then visits / 8192 % 25 else 0 end as visit_count
    from people
),
employed as (
    select
        described.*,
        case
            when works then case when education_name in ('Masters', 'Doctorate') then case when occupation % 10000 < 5600 then 'Professional' when occupation % 10000 < 8100 then 'Executive' when occupation % 10000 < 8800 then 'Sales' when occupation % 10000 < 9500 then 'Clerical' else 'Technical' end when education_name in ('Bachelors', 'Assoc') then case when occupation % 10000 < 2700 then 'Professional' when occupation % 10000 < 5000 then 'Executive' when occupation % 10000 < 6500 then 'Clerical' when occupation % 10000 < 8000 then 'Sales' when occupation % 10000 < 9200 then 'Technical' when occupation % 10000 < 9700 then 'Craft' else 'Service' end else case when occupation % 10000 < 2000 then 'Craft' when occupation % 10000 < 3900 then 'Service' when occupation % 10000 < 5600 then 'Clerical' when occupation % 10000 < 7100 then 'Operator' when occupation % 10000 < 8300 then 'Sales' when occupation % 10000 < 9200 then 'Transport' when occupation % 10000 < 9700 then 'Farming' else 'Executive' end end
        end as occupation_name,
        case
            when not works then null
            when years < 20 then 8 + hours / 128 % 17
            when hours / 128 % 100 < 52 then 40
            when hours / 128 % 100 < 68 then 36 + hours / 16384 % 4
            when hours / 128 % 100 < 82 then 41 + hours / 16384 % 15
            when sex_code = 'F' or years > 64 then 15 + hours / 16384 % 20
            else 28 + hours / 16384 % 30
        end as weekly_hours
    from described
)
select
    cast(1000000000 + person as bigint) as person_id,
    case sex_code when 'F' then case first_name % 16 when 0 then 'Ada' when 1 then 'Aisha' when 2 then 'Anna' when 3 then 'Bea' when 4 then 'Carla' when 5 then 'Diana' when 6 then 'Elif' when 7 then 'Fatma' when 8 then 'Grace' when 9 then 'Hana' when 10 then 'Ines' when 11 then 'Julia' when 12 then 'Kim' when 13 then 'Lena' when 14 then 'Mei' when 15 then 'Nora' end when 'M' then case first_name % 16 when 0 then 'Adam' when 1 then 'Ali' when 2 then 'Ben' when 3 then 'Carlos' when 4 then 'David' when 5 then 'Emil' when 6 then 'Felix' when 7 then 'George' when 8 then 'Hugo' when 9 then 'Ivan' when 10 then 'Jamal' when 11 then 'Karl' when 12 then 'Liam' when 13 then 'Milan' when 14 then 'Omar' when 15 then 'Paul' end end || ' ' || case last_name % 20 when 0 then 'Adams' when 1 then 'Baker' when 2 then 'Chen' when 3 then 'Diaz' when 4 then 'Evans' when 5 then 'Fischer' when 6 then 'Garcia' when 7 then 'Haddad' when 8 then 'Ito' when 9 then 'Jones' when 10 then 'Kaya' when 11 then 'Lopez' when 12 then 'Meyer' when 13 then 'Nguyen' when 14 then 'O''Neil' when 15 then 'Patel' when 16 then 'Quinn' when 17 then 'Rossi' when 18 then 'Singh' when 19 then 'Tanaka' end as full_name,
    sex_code as sex,
    born as birth_date,
    cast(2025 - extract(year from born) as integer) as age,
    case
        when missing % 1000 = 3 then null
        when district % 10 < 6 then region_code || '01'
        when district % 10 < 9 then region_code || '0' || cast(2 + district / 16 % 3 as text)
        else region_code || cast(10 + district / 16 % 15 as text)
    end as zip,
    race_name as race,
    case when race_name in ('Asian') then case when abroad % 10000 < 5200 then 'United-States' when abroad % 10000 < 6900 then 'China' when abroad % 10000 < 8400 then 'India' when abroad % 10000 < 9400 then 'Philippines' else 'Vietnam' end when race_name in ('Other') then case when abroad % 10000 < 5600 then 'United-States' when abroad % 10000 < 8200 then 'Mexico' when abroad % 10000 < 9100 then 'Guatemala' else 'Brazil' end when race_name in ('Black') then case when abroad % 10000 < 8900 then 'United-States' when abroad % 10000 < 9400 then 'Haiti' when abroad % 10000 < 9800 then 'Jamaica' else 'Nigeria' end else case when abroad % 10000 < 9400 then 'United-States' when abroad % 10000 < 9600 then 'Germany' when abroad % 10000 < 9800 then 'Canada' when abroad % 10000 < 9920 then 'Poland' else 'Italy' end end as country,
    marital_name as marital_status,
    education_name as education,
    case when works then case when workclass % 10000 < 7000 then 'Private' when workclass % 10000 < 8100 then 'Self-employed' when workclass % 10000 < 9000 then 'Local-gov' when workclass % 10000 < 9550 then 'State-gov' when workclass % 10000 < 9980 then 'Federal-gov' else 'Without-pay' end end as workclass,
    occupation_name as occupation,
    cast(weekly_hours as integer) as hours_per_week,
    case
        when missing % 30 = 13 then null
        else cast(
            cast(
                (
                    coalesce(weekly_hours, 12) * 78000
                    * case
                        when education_name in ('Masters', 'Doctorate') then 9
                        when education_name in ('Bachelors', 'Assoc') then 7
                        else 5
                    end / 5
                )
                + income % 1500000
                + case when income / 2097152 % 25 = 0 then income % 9000000 else 0 end
                as decimal(15, 0)
            ) * 0.01 as decimal(12, 2)
        )
    end as income,
    cast(
        175 + bmi % 50 + bmi / 64 % 40 + least(years, 60) + case when bmi / 4096 % 20 = 0 then 90 else 0 end
        as double precision
    ) / 10 as bmi,
    case
        when missing % 50 = 11 then null
        else insured % 100 < 70 + least(years, 65) * 2 / 5
    end as insured,
    cast(visit_count as integer) as visits,
    case
        when visit_count > 0
        then timestamp '2025-12-31 18:00:00' - interval '1 minute' * cast(last_visit % 525600 as integer)
    end as last_visit,
    to_timestamp(1767225600 - recorded % 31536000) as recorded_at,
    case when years < 35 then case when diagnosis % 10000 < 5600 then 'Healthy' when diagnosis % 10000 < 6900 then 'Asthma' when diagnosis % 10000 < 8100 then 'Depression' when diagnosis % 10000 < 9200 then 'Injury' when diagnosis % 10000 < 9800 then 'Migraine' when diagnosis % 10000 < 9950 then 'Diabetes' else 'HIV' end when years < 60 then case when diagnosis % 10000 < 3900 then 'Healthy' when diagnosis % 10000 < 5800 then 'Hypertension' when diagnosis % 10000 < 6900 then 'Depression' when diagnosis % 10000 < 7900 then 'Diabetes' when diagnosis % 10000 < 8700 then 'Asthma' when diagnosis % 10000 < 9300 then 'Migraine' when diagnosis % 10000 < 9800 then 'Injury' when diagnosis % 10000 < 9950 then 'Cancer' else 'HIV' end else case when diagnosis % 10000 < 3300 then 'Hypertension' when diagnosis % 10000 < 5200 then 'Healthy' when diagnosis % 10000 < 6900 then 'Diabetes' when diagnosis % 10000 < 8400 then 'Heart disease' when diagnosis % 10000 < 9300 then 'Cancer' when diagnosis % 10000 < 9700 then 'Depression' else 'Injury' end end as diagnosis,
    case
        when note % 5 = 0 then null
        when note % 5 = 1 then 'Lives alone since ' || cast(1990 + note / 8 % 35 as text) || '.'
        when note % 5 = 2 then 'Asked to be called after ' || cast(1 + note / 8 % 11 as text) || ' pm.'
        else 'Form ' || cast(note / 8 % 1000000 as text) || ', nothing to add.'
    end as free_text
from employed
;
grant usage on schema census to anonymizer;
grant select on census.people to anonymizer;
analyze census.people;
