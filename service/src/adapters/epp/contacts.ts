import type { ObjectCommands } from '@zonewright/epp'
import type { ContactInfo, Outcome, RegistryContact, RegistryContacts } from '#ports/registry.ts'
import { ask, needed, nothing, transform } from './ask.ts'
import type { SessionPool } from './session-pool.ts'

/** The registry's contacts over EPP (RFC 5733). */
export function contactsBy(pool: SessionPool): RegistryContacts {
  return {
    create: (contact, authInfo, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'contact:create',
          body: {
            id: contact.id,
            postal: [postalOf(contact)],
            voice: voiceOf(contact),
            email: contact.email,
            authInfo,
          },
          extensions: {},
          clTrid,
        }),
        nothing,
      ).then(missingIsRefused),
    info: (id) =>
      ask(
        pool,
        (_, clTrid) => ({ kind: 'contact:info', body: { id }, extensions: {}, clTrid }),
        ({ data }): ContactInfo => {
          const { postal, voice, email, roid, statuses, clId } = needed(data['contact:infData'], 'contact:infData')
          const { name, organization = '', address } = needed(postal[0], 'postalInfo')
          return {
            id,
            name,
            organization,
            street: address.street,
            city: address.city,
            state: address.state ?? '',
            postalCode: address.postalCode ?? '',
            country: address.country,
            phone: voice?.number ?? '',
            phoneExtension: voice?.extension ?? '',
            email,
            roid,
            statuses,
            sponsor: clId,
          }
        },
      ),
    update: (contact, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'contact:update',
          body: {
            id: contact.id,
            change: { postal: [postalOf(contact)], voice: voiceOf(contact), email: contact.email },
          },
          extensions: {},
          clTrid,
        }),
        nothing,
      ),
    delete: (id, clTrid) =>
      transform(pool, () => ({ kind: 'contact:delete', body: { id }, extensions: {}, clTrid }), nothing),
  }
}

function voiceOf({ phone, phoneExtension }: RegistryContact): NonNullable<ObjectCommands['contact:create']['voice']> {
  return { number: phone, ...(phoneExtension !== '' && { extension: phoneExtension }) }
}

/** The international form if the data is ASCII. Registries that support only one form support this one (RFC 5733 §2.4). */
function postalOf(contact: RegistryContact): ObjectCommands['contact:create']['postal'][number] {
  const { name, organization, street, city, state, postalCode, country } = contact
  const isAscii = /^[\x20-\x7e]*$/.test([name, organization, ...street, city, state].join(''))
  return {
    type: isAscii ? 'int' : 'loc',
    name,
    ...(organization !== '' && { organization }),
    address: {
      street,
      city,
      ...(state !== '' && { state }),
      ...(postalCode !== '' && { postalCode }),
      country,
    },
  }
}

/**
 * A parameter is missing (2003). For a contact, this is something that the person has left out, such as a state, and not an error of this service.
 */
function missingIsRefused(outcome: Outcome<null>): Outcome<null> {
  return outcome.kind === 'fault' && outcome.reply.code === 2003 ? { kind: 'refused', reply: outcome.reply } : outcome
}
