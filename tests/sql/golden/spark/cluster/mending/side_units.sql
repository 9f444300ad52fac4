-- cluster/mending/side_units
create table `kanon_work`.`r1_made` as
select
    sides.side as g,
    units.n
    , units.s0

from `kanon_work`.`r1_sides` as sides
join `kanon_work`.`r1_units` as units on units.rid = sides.rid
where sides.side > 0
