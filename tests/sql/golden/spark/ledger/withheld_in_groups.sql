-- ledger/withheld_in_groups
create table `kanon_work`.`r1_ledger_withheld` as
select present.place_of_row
from `kanon_work`.`r1_ledger_present` as present
join `kanon_work`.`r1_ledger_outcomes` as outcomes on outcomes.cell = present.cell
    and outcomes.class = present.class
where outcomes.how = 'withheld'
