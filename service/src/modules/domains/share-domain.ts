import { domainInvitation } from '#modules/mail/index.ts'
import { Sharing } from '#modules/sharing/index.ts'
import { noSuchDomain } from './seen-domain.ts'
import { type Domain, lockDomain } from './store.ts'

/** Managers of a domain can read it, change its nameservers, lock it and turn on auto-renew. */
export const domainSharing = new Sharing<Domain>({
  word: 'domain',
  tables: {
    things: 'domains',
    managers: 'domain_managers',
    invitations: 'domain_invitations',
    scopes: 'api_key_domains',
    id: 'domain_id',
  },
  lock: async (tx, { id, name }) => {
    const domain = await lockDomain(tx, name)
    // The name may belong to another domain by now.
    return domain?.id === id ? domain : undefined
  },
  noSuch: noSuchDomain,
  audited: ({ name }) => ({ domain: name }),
  invitation: ({ name, ...about }) => domainInvitation({ domain: name, ...about }),
})
