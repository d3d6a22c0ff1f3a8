import { partsOf, referenceOf, type Schema, type Schemas, typesOf } from './document.ts'

/** Values that a reader recognises, by the name of a member or a parameter. The rest follows from the schema. */
const known: Readonly<Record<string, unknown>> = {
  account: '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10',
  action: 'zone.created',
  add: ['192.0.2.2'],
  address: '192.0.2.53',
  address1: '12 Marina Road',
  addresses: ['192.0.2.53'],
  amount_kobo: 1_500_000,
  answer: ['192.0.2.1'],
  city: 'Lagos',
  client_email: 'ada@example.com',
  code: '123456',
  country: 'NG',
  cursor: 'eyJhIjoi…',
  delivery: '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10',
  description: 'Production',
  domain: 'example.com',
  event_type: 'zone.records_changed',
  events: ['zone.records_changed'],
  email: 'ada@example.com',
  hint: 'svc_live_…x7Qd',
  inviter: 'ada@example.com',
  line: 12,
  message: 'The record is not valid.',
  name: 'www',
  names: ['example.com'],
  nameserver: 'ns1.example.net',
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  parent_nameservers: ['ns1.example.net', 'ns2.example.net'],
  registry_nameservers: ['ns1.example.net', 'ns2.example.net'],
  owns_name: 'www.example.com',
  parents: ['free.example'],
  password: '…',
  path: '/records/0',
  phone: '+234.8012345678',
  postal_code: '101001',
  records: ['192.0.2.1'],
  remove: ['192.0.2.1'],
  request_id: 'req_0199a3c25b1e7d409c1f2f6b8a4e7d10',
  secret: '…',
  serial: 1_764_150_000,
  since: '2026-03-01T09:30:00.000Z',
  state: 'Lagos',
  tld: 'com',
  tlds: ['com'],
  token: '…',
  transfer_code: '…',
  ttl: 3600,
  type: 'A',
  unicode_name: 'example.com',
  until: '2026-03-02T09:30:00.000Z',
  url: 'https://hooks.example.com/zonewright',
  version: 7,
  years: 1,
  zone: 'example.com',
  zones: ['example.com'],
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  email: 'ada@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10',
}

/** Objects within objects are shown to this depth. */
const deepest = 6

/** An example value for a schema. `name` is the member or the parameter that has it. */
export function exampleOf(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  for (const given of [schema.example, schema.const, schema.enum?.[0], schema.default])
    if (given !== undefined) return given
  const reference = referenceOf(schema)
  if (reference !== undefined) return exampleOf(schemas[reference] ?? {}, schemas, name, depth)
  const parts = partsOf(schema)
  if (schema.allOf !== undefined)
    return Object.assign({}, ...parts.map((part) => exampleOf(part, schemas, name, depth)))
  const part = parts.find((one) => typesOf(one)[0] !== 'null') ?? parts[0]
  if (part !== undefined) return exampleOf(part, schemas, name, depth)
  return exampleOfType(schema, schemas, name, depth)
}

function exampleOfType(schema: Schema, schemas: Schemas, name: string, depth: number): unknown {
  switch (typesOf(schema)[0]) {
    case 'object':
      if (depth >= deepest) return {}
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, of]) => [
          member,
          exampleOf(of, schemas, member, depth + 1),
        ]),
      )
    case 'array': {
      const items = schema.items ?? {}
      const words = known[name]
      if (Array.isArray(words) && items.type === 'string') return words
      return depth >= deepest ? [] : [exampleOf(items, schemas, name.replace(/s$/, ''), depth + 1)]
    }
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof known[name] === 'number' ? known[name] : Math.max(schema.minimum ?? 1, 1)
    case 'null':
      return null
    default:
      return exampleOfText(schema, name)
  }
}

function exampleOfText({ format }: Schema, name: string): string {
  if (format !== undefined && byFormat[format] !== undefined) return byFormat[format]
  const word = known[name]
  if (typeof word === 'string') return word
  if (/(^|_)at$/.test(name)) return byFormat['date-time'] as string
  return /(^|_)id$/.test(name) ? (byFormat['uuid'] as string) : '…'
}
