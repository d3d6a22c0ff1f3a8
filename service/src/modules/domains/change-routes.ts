import { domainRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { type Auth, codeGiver } from '#modules/accounts/index.ts'
import { readContact, refuseUnfitContact } from '#modules/contacts/index.ts'
import { newAuthCode, newContactId } from '#modules/registry-commands/index.ts'
import type { Actor, Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/postgres/index.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'
import type { ChangeWork, NewChange, Wish } from './domain-change.ts'
import { type Changed, isLocked } from './domain-view.ts'
import { hostNames, hostsOf } from './hosts.ts'
import { answerWith, answerWithChange } from './routes.ts'
import { domainFor, type SeenDomain } from './seen-domain.ts'
import { startChange } from './start-change.ts'

/** What the routes that change data at a registry need from outside their module. */
export interface ChangeRoutesContext extends Omit<ChangeWork, 'database'> {
  readonly tlds: readonly TldSetting[]
  readonly codes: Auth['codes']
  /** The host names of our nameservers. */
  readonly nameservers: readonly string[]
}

/** The routes that change data at a registry. They query it outside any transaction, and respond when it has responded. */
export function mountChangeRoutes(server: HttpServer, context: ChangeRoutesContext): void {
  const { database } = server
  const { db } = database
  const work: ChangeWork = { database, ...context }

  server.mount(domainRoutes.setNameservers, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name)
    const nameservers = hostNames(call.body.nameservers)
    const hosts = hostsOf(domain.name, nameservers, call.body.hosts ?? [])
    const isUnsigned = nameservers.some((host) => context.nameservers.includes(host))
    const wish = { kind: 'nameservers', nameservers, hosts, isUnsigned } as const
    return change(call, domain, wish, {}, answerForKeys(call, domain, 'nameservers'))
  })

  server.mount(domainRoutes.lockDomain, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name)
    return change(call, domain, { kind: 'lock' }, {}, answerForKeys(call, domain, 'locked'))
  })

  server.mount(domainRoutes.unlockDomain, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name, 'owner')
    return change(call, domain, { kind: 'unlock' }, { code: call.body.code })
  })

  server.mount(domainRoutes.setContacts, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name, 'owner')
    const { contact_id: contactId } = call.body
    const { id: _, createdAt: __, updatedAt: ___, ...contact } = await contactFor(call.caller, domain, contactId)
    const wish = { kind: 'contacts', contact, registrantId: newContactId(), formerId: domain.registrantId } as const
    return change(call, domain, wish, { secret: newAuthCode() })
  })

  server.mount(domainRoutes.revealTransferCode, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name, 'owner')
    // Before the change uses up a code. This also queries the registry.
    if (isLocked(domain)) throw lockedAgainstTransfers(domain.name)
    const secret = newAuthCode()
    const wish = { kind: 'transfer_code' } as const
    return change(call, domain, wish, { code: call.body.code, secret }, async (outcome) => {
      if (outcome === 'pending')
        throw new Refusal('conflict', 'The registry has not set the transfer code yet. Request another code tomorrow.')
      return { status: 200, body: { name: domain.name, transfer_code: secret } }
    })
  })

  server.mount(domainRoutes.approveTransferOut, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name, 'owner')
    return change(call, domain, { kind: 'approve_transfer' }, {}, async (outcome, tx) =>
      outcome === 'done' ? { status: 204 } : answerWith(tx, call.caller, domain.name, 202),
    )
  })

  server.mount(domainRoutes.rejectTransferOut, async (call) => {
    const domain = await domainFor(db, call.caller, call.params.name, 'owner')
    return change(call, domain, { kind: 'reject_transfer' })
  })

  /** Makes the change, and responds with the domain as it is afterwards. A repeat with the same Idempotency-Key gets the same response. */
  async function change(
    { caller, actor, once }: { caller: Caller; actor: Actor; once: (work: () => Promise<Answer>) => Promise<Answer> },
    { name }: SeenDomain,
    wish: Wish,
    { code, secret }: { code?: string | undefined; secret?: string } = {},
    answer: (outcome: 'done' | 'pending', tx: Tx) => Promise<Answer> = (outcome, tx) =>
      answerWith(tx, caller, name, outcome === 'done' ? 200 : 202),
  ): Promise<Answer> {
    const needsCode = wish.kind === 'unlock' || wish.kind === 'transfer_code'
    const wanted: NewChange = { name, actor, wish, ...(secret !== undefined && { secret }) }
    return once(async () => {
      const outcome = needsCode
        ? await context.codes.permit(db, codeGiver(caller, actor), code, (permit) =>
            startChange(work, { ...wanted, permit }),
          )
        : await startChange(work, wanted)
      return server.database.transact((tx) => answer(outcome, tx))
    })
  }

  /** The response to a call that keys can also make. Some keys cannot read the domain. */
  function answerForKeys({ caller }: { caller: Caller }, { name }: SeenDomain, changed: Changed) {
    return (outcome: 'done' | 'pending', tx: Tx): Promise<Answer> =>
      answerWithChange(tx, caller, name, changed, outcome === 'done' ? 200 : 202)
  }

  async function contactFor({ accountId }: Caller, { tld: tldName }: SeenDomain, id: string) {
    const contact = await readContact(db, accountId, id)
    if (contact === undefined) {
      const message = 'This contact does not exist.'
      throw new Refusal('contact_invalid', message, { details: [{ path: '/contact_id', code: 'no_contact', message }] })
    }
    const tld = context.tlds.find((each) => each.tld === tldName)
    refuseUnfitContact(contact, tldName, tld?.contactFields ?? [])
    return contact
  }
}

function lockedAgainstTransfers(name: string): Refusal {
  return new Refusal('domain_locked', `${name} is locked and cannot be transferred. Unlock it first.`)
}
