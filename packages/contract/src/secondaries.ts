import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'
import { secondaryPrograms } from './tsig-clients.ts'

/** Maximum number of secondaries that a zone can have. */
const maxSecondaries = 8

/** The state of a secondary. */
const secondaryStates = ['active', 'silent', 'cut_off'] as const

const address = z.string().max(64).meta({ description: 'The IP address of the secondary.', example: '203.0.113.53' })
const keyId = z
  .string()
  .max(100)
  .meta({ description: 'The id of the API key whose TSIG secret the secondary uses.', example: 'key_019ab3c4d5e6f708' })
const time = z.string().nullable()

const secondarySchema = z
  .object({
    address,
    port: z.int().meta({ description: 'The UDP port for NOTIFY and SOA queries.', example: 53 }),
    key_id: keyId,
    ns_name: z.string().nullable().meta({
      description:
        'The host name of the secondary in the NS records of the zone. It is null if the NS records do not include the secondary.',
    }),
    state: z.enum(secondaryStates).meta({
      description:
        '`active`: the service notifies the secondary of changes. `silent`: the service no longer notifies the secondary, because the secondary has not used its key to query the SOA or transfer the zone for 24 hours. To start the notifications again, save the list of secondaries. `cut_off`: the key was revoked, has expired, or can no longer transfer the zone.',
    }),
    key_name: z
      .string()
      .nullable()
      .meta({ description: 'The name of the API key. It is null if the key no longer exists.' }),
    key_expires_at: time.meta({
      format: 'date-time',
      description: 'The time at which the API key expires. It is null if the key does not expire.',
    }),
    notified_at: time.meta({
      format: 'date-time',
      description: 'The time of the last NOTIFY. It is null before the first NOTIFY.',
    }),
    notify_outcome: z.enum(['acknowledged', 'refused', 'silent']).nullable().meta({
      description:
        'The result of the last NOTIFY. `acknowledged`: the secondary accepted the NOTIFY. `refused`: the secondary did not accept the NOTIFY or its signature. `silent`: there was no response.',
    }),
    read_at: time.meta({
      format: 'date-time',
      description:
        'The time, with a precision of one minute, at which the secondary last used its key to query the SOA or transfer the zone. It is null if this never happened.',
    }),
  })
  .meta({ id: 'Secondary' })

export type WireSecondary = z.infer<typeof secondarySchema>

const secondaryListSchema = z.object({ secondaries: z.array(secondarySchema) }).meta({ id: 'SecondaryList' })

/** A secondary in a request. */
const wantedSecondarySchema = z.strictObject({
  address,
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .meta({ description: 'The UDP port for NOTIFY and SOA queries. The default is 53.' }),
  key_id: keyId,
  ns_name: z
    .string()
    .max(255)
    .nullable()
    .optional()
    .meta({ description: 'The host name of the secondary, if the NS records of the zone should contain it.' }),
})

export type WireWantedSecondary = z.infer<typeof wantedSecondarySchema>

export const secondaryRoutes = {
  getSecondaries: route({
    id: 'getSecondaries',
    method: 'GET',
    path: '/zones/{zone}/secondaries',
    who: ['records:read'],
    wholeZone: true,
    summary: 'List the secondaries of a zone',
    description: 'Secondaries are your own nameservers that copy the zone from this service.',
    params: zoneParams,
    answers: { 200: secondaryListSchema },
  }),
  setSecondaries: route({
    id: 'setSecondaries',
    method: 'PUT',
    path: '/zones/{zone}/secondaries',
    who: 'session',
    summary: 'Change the secondaries of a zone',
    description:
      'Only the owner can call this. The call replaces the whole list. Each secondary uses the TSIG secret of an API key to transfer the zone from the DNS door, the server of this service for signed DNS messages. The key must belong to the account, cover the zone, and have `records:read`, a TSIG secret and no limits. After a change of the zone, the service sends a signed NOTIFY to each secondary, at most once a second. If you set `ns_name`, the service adds this name to the NS records of the zone. The name must have an address. Also add the name to the nameservers of the domain at the registrar.',
    params: zoneParams,
    body: z.strictObject({ secondaries: z.array(wantedSecondarySchema).max(maxSecondaries) }),
    outside: 'dns',
    answers: { 200: secondaryListSchema },
  }),
  getSecondaryConfig: route({
    id: 'getSecondaryConfig',
    method: 'GET',
    path: '/zones/{zone}/secondaries/config',
    who: ['records:read'],
    wholeZone: true,
    summary: 'Read a configuration file for a secondary',
    description: 'The file has a placeholder instead of the secret.',
    params: zoneParams,
    query: z.strictObject({
      for: z.enum(secondaryPrograms).meta({ description: 'The nameserver program of the secondary.' }),
      address: z
        .string()
        .max(64)
        .optional()
        .meta({ description: 'The address of the secondary. The default is the first secondary of the list.' }),
    }),
    answers: { 200: { raw: 'text/plain' } },
  }),
}
