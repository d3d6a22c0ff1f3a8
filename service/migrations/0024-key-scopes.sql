-- A key for particular zones covers domains, too: each by id, as it covers zones.

-- The id of a domain outside the database.
alter table domains add column public_id text not null default new_id('dom', app_now());
create unique index domains_public_id on domains (public_id);

create table api_key_domains (
  key_id text not null references api_keys on delete cascade,
  domain_id bigint not null references domains on delete cascade,
  primary key (key_id, domain_id)
);
create index api_key_domains_domain on api_key_domains (domain_id);

-- So far a zone in the scope covered the domain of its name.
insert into api_key_domains (key_id, domain_id)
select distinct k.id, d.id
from api_key_zones kz
join api_keys k on k.id = kz.key_id
join zones z on z.id = kz.zone_id and z.state <> 'deleted'
join domains d on d.name = z.name and d.state <> 'gone'
where d.account_id = k.account_id
  or exists (select from domain_managers m where m.domain_id = d.id and m.account_id = k.account_id);
