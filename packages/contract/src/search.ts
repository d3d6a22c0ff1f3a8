import { z } from 'zod'
import { maxHits, searchLengths } from './limits.ts'
import { orderKinds } from './order-kinds.ts'
import { orderStatuses } from './orders.ts'
import { route } from './route.ts'
import { zoneState } from './zones.ts'

/** The message for a text that has more characters than a search allows. */
export const tooLongSearch = `Search for at most ${searchLengths.most} characters.`

const foundZone = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ example: 'example.com' }),
    unicode_name: z.string().meta({ description: 'The name with internationalized labels in Unicode.' }),
    state: zoneState,
    role: z.enum(['owner', 'manager']),
  })
  .meta({ id: 'FoundZone' })

const foundRecord = z
  .object({
    zone: z
      .object({ id: z.uuid(), name: z.string(), state: zoneState })
      .meta({ description: 'The zone of the record set.' }),
    name: z.string().meta({ description: 'The owner name, without a final dot.', example: 'www.example.com' }),
    type: z.string(),
    ttl: z.int(),
    value: z.string().meta({
      description:
        'The first record of the set that contains the text. If no record contains the text, this is the first record of the set. Long records are shortened.',
      example: '192.0.2.1',
    }),
    record_count: z.int().meta({ description: 'The number of records in the set.' }),
  })
  .meta({ id: 'FoundRecord' })

const foundDomain = z
  .object({
    name: z.string().meta({ example: 'shop.test' }),
    unicode_name: z.string().meta({ description: 'The name with internationalized labels in Unicode.' }),
    role: z.enum(['owner', 'manager']),
    expires_at: z
      .string()
      .nullable()
      .meta({ description: 'The time at which the registration expires. It is null if this time is not known.' }),
  })
  .meta({ id: 'FoundDomain' })

const foundOrder = z
  .object({
    id: z.string(),
    kind: z.enum(orderKinds),
    name: z.string().meta({ example: 'shop.test' }),
    status: z.enum(orderStatuses),
    created_at: z.string(),
  })
  .meta({ id: 'FoundOrder' })

const foundKey = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: 'The last four characters of the secret.' }),
    state: z.enum(['live', 'revoked', 'expired']),
  })
  .meta({ id: 'FoundKey' })

const hitsOf = <T extends z.ZodType>(hit: T) =>
  z.object({
    data: z.array(hit).meta({ description: `The best hits, at most ${maxHits}.` }),
    has_more: z.boolean().meta({ description: 'True if there are more hits. To find them, search for a longer text.' }),
  })

const searchSchema = z
  .object({
    zones: hitsOf(foundZone),
    records: hitsOf(foundRecord),
    domains: hitsOf(foundDomain)
      .nullable()
      .meta({ description: 'Keys without `domains:read` cannot list domains, and get null.' }),
    orders: hitsOf(foundOrder)
      .nullable()
      .meta({ description: 'Keys without `domains:read` cannot list orders, and get null.' }),
    keys: hitsOf(foundKey).nullable().meta({ description: 'The field is null if the caller is an API key.' }),
    complete: z.boolean().meta({
      description:
        'False if the service has not read all records of the account yet, or if the account has too many records. The result may then lack matching records. Repeat the call after a second.',
    }),
  })
  .meta({ id: 'SearchResult' })

export type WireSearchResult = z.infer<typeof searchSchema>

export const searchRoutes = {
  search: route({
    id: 'search',
    method: 'GET',
    path: '/search',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Search zones, records, domains, orders and keys',
    description: `Finds objects that contain a text, in any letter case. The best hits come first.

| kind | searched text |
| --- | --- |
| zones | the name |
| records | the owner name, without the name of the zone, or a record |
| domains | the name |
| orders | the name of the domain, or the id |
| keys | the name, the id or the hint |

A text can also be the end of an owner name and, after a dot, the name of the zone or its beginning: \`www.exam\` and \`www.example.com\` find the record sets of \`www.example.com\` in the zone \`example.com\`. The name of the zone finds the record sets at the apex.

No character has a special meaning. You can write internationalized names in Unicode or with A-labels, names with or without a final dot, and IP addresses in any notation. If the text is a URL, the search uses only the host of the URL.

A key finds only what the key can read: the zones and domains in its scope, within its limits. A session finds everything that the account owns or manages. A change appears in the results within two seconds. The search does not find the SOA and NS records that the service manages at the apex.`,
    query: z.strictObject({
      q: z
        .string()
        .max(1_024, tooLongSearch)
        .meta({
          description: `The text, with ${searchLengths.least} to ${searchLengths.most} characters. White space before and after the text does not count.`,
          example: 'www.example.com',
        }),
    }),
    answers: { 200: searchSchema },
  }),
}
