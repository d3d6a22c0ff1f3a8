import { contactRoutes, displayData, type WireContact } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import { type Contact, listContacts, readContact } from './store.ts'
import { changeContact, createContact, removeContact } from './write-contact.ts'

export function mountContactRoutes(server: HttpServer): void {
  const { db } = server.database

  server.mount(contactRoutes.listContacts, async ({ caller, query, list }) => {
    const [after = ''] = list.after('text') ?? []
    const found = await listContacts(db, caller.accountId, after, query.limit + 1)
    const { rows, nextCursor } = list.page(found, ({ id }) => [id])
    return { status: 200, body: { data: rows.map(contactToWire), next_cursor: nextCursor } }
  })

  server.mount(contactRoutes.createContact, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      const { postal_code: postalCode, ...rest } = body
      const contact = await createContact(tx, { accountId: caller.accountId, actor }, { ...rest, postalCode })
      return { status: 201, body: contactToWire(contact), location: `/contacts/${contact.id}` }
    }),
  )

  server.mount(contactRoutes.getContact, async ({ caller, params }) => {
    const contact = await readContact(db, caller.accountId, params.id)
    if (contact === undefined) throw noSuchContact()
    return { status: 200, body: contactToWire(contact) }
  })

  server.mount(contactRoutes.changeContact, ({ caller, actor, params, body, transact }) =>
    transact(async (tx) => {
      const { postal_code: postalCode, ...rest } = body
      const given = Object.entries({ ...rest, postalCode }).filter(([, value]) => value !== undefined)
      const change = Object.fromEntries(given)
      const contact = await changeContact(tx, { accountId: caller.accountId, actor }, params.id, change)
      if (contact === undefined) throw noSuchContact()
      return { status: 200, body: contactToWire(contact) }
    }),
  )

  server.mount(contactRoutes.deleteContact, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      if (!(await removeContact(tx, { accountId: caller.accountId, actor }, params.id))) throw noSuchContact()
      return { status: 204 }
    }),
  )
}

function noSuchContact(): Refusal {
  return new Refusal('not_found', 'This contact does not exist.')
}

function contactToWire({ postalCode, createdAt, updatedAt, ...contact }: Contact): WireContact {
  return displayData({
    ...contact,
    postal_code: postalCode,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  })
}
