-- Comments and labels of zones and record sets, for people. DNS, versions, events and exports do not have them. Older code keeps them.

alter table zones add column comment text, add column labels text[];
alter table zone_rrsets add column comment text, add column labels text[];
