-- An index about changes contains only the commands of changes, and one about orders only those of orders. Settling a command by its id read
-- the index of open commands of changes, which also contained the open commands of all orders.
drop index registry_commands_open_change, registry_commands_order, registry_commands_change;
create unique index registry_commands_open_change on registry_commands (change_id)
  where change_id is not null and state in ('sending', 'unknown', 'pending');
create index registry_commands_order on registry_commands (order_id, id) where order_id is not null;
create index registry_commands_change on registry_commands (change_id, id) where change_id is not null;
