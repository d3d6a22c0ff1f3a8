-- The unpaid orders of an account are counted when it places another one, however many orders it has.
create index orders_unpaid on orders (account_id) where status = 'pending_payment';
