import fc from 'fast-check'
import type { Command } from './command.ts'
import type { CommandExtensions, ObjectCommands } from './command-table.ts'
import type { Message } from './message.ts'
import type { Response } from './response.ts'
import type { ResponseData, ResponseExtensions } from './response-table.ts'

// Generators of every possible message: all values that the schemas allow, with difficult characters wherever they allow text.

type Fields<T> = { [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> }
type RequiredKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T]

/** Creates plain objects, because `deepEqual` treats objects without a prototype as different. */
function record<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true }) as fc.Arbitrary<T>
}

/** An object whose optional members may be missing. */
function some<T extends object>(fields: Fields<T>, ...requiredKeys: RequiredKeys<T>[]): fc.Arbitrary<T> {
  return fc.record(fields as never, { requiredKeys, noNullPrototype: true } as never) as fc.Arbitrary<T>
}

const hardCharacter = fc.constantFrom(...'az09-_.<>&"\'{}/=é中٣\u{1f600}]')
const word = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(hardCharacter, { minLength, maxLength }).map((characters) => characters.join(''))
const words = (maxWords = 4): fc.Arbitrary<string> =>
  fc.array(word(1, 6), { minLength: 1, maxLength: maxWords }).map((each) => each.join(' '))
const ascii = (pattern: RegExp): fc.Arbitrary<string> => fc.stringMatching(pattern)

const label = ascii(/^[a-z0-9]{1,20}(\.[a-z]{2,10}){1,3}$/)
const clientId = ascii(/^[A-Za-z0-9-]{3,16}$/)
const roid = ascii(/^[A-Z0-9_]{1,20}-[A-Z]{1,8}$/)
const trid = ascii(/^[A-Za-z0-9-]{3,64}$/)
const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
const day = date.map((value) => new Date(`${value.toISOString().slice(0, 10)}T00:00:00Z`))
const language = fc.constantFrom('en', 'fr', 'en-GB', 'yo')
const uri = ascii(/^urn:[a-z0-9:.-]{1,30}$/)
const authInfo = words()
const period = record({ unit: fc.constantFrom('y' as const, 'm' as const), length: fc.integer({ min: 1, max: 99 }) })
const address = fc.oneof(
  fc.ipV4().map((ip) => ({ address: ip, version: 'v4' as const })),
  fc
    .ipV6()
    .filter((ip) => ip.length >= 3)
    .map((ip) => ({ address: ip, version: 'v6' as const })),
)
const addresses = fc.array(address, { maxLength: 3 })
const list = <T>(item: fc.Arbitrary<T>, minLength = 0, maxLength = 3): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength, maxLength })

const contacts = list(
  record({ type: fc.constantFrom('admin' as const, 'billing' as const, 'tech' as const), id: clientId }),
)
const domainStatuses = list(
  fc.constantFrom('ok', 'inactive', 'clientHold', 'clientTransferProhibited', 'pendingDelete'),
)
const nameservers = fc.oneof(
  record({ form: fc.constant('objects' as const), hosts: list(label, 1) }),
  record({ form: fc.constant('attributes' as const), hosts: list(record({ name: label, addresses }), 1) }),
)
const domainLists = some<NonNullable<ObjectCommands['domain:update']['add']>>(
  { nameservers, contacts, statuses: domainStatuses },
  'contacts',
  'statuses',
)
const check = record({ ids: list(label, 1) })
const contactCheck = record({ ids: list(clientId, 1) })
const checkData = (id: fc.Arbitrary<string>) =>
  record({
    items: list(
      some<{ id: string; isAvailable: boolean; reason?: string }>(
        { id, isAvailable: fc.boolean(), reason: word(1, 32) },
        'id',
        'isAvailable',
      ),
      1,
    ),
  })

const postalAddress = some<{ street: string[]; city: string; state?: string; postalCode?: string; country: string }>(
  { street: list(words()), city: words(), state: words(), postalCode: word(1, 16), country: ascii(/^[A-Z]{2}$/) },
  'street',
  'city',
  'country',
)
const form = fc.constantFrom('int' as const, 'loc' as const)
const postalInfo = some<{ type: 'int' | 'loc'; name: string; organization?: string; address: never }>(
  { type: form, name: words(), organization: words(), address: postalAddress as never },
  'type',
  'name',
  'address',
)
const postalChange = some<{ type: 'int' | 'loc'; name?: string; organization?: string; address?: never }>(
  { type: form, name: words(), organization: words(), address: postalAddress as never },
  'type',
)
const phone = some<{ number: string; extension?: string }>(
  { number: ascii(/^\+[0-9]{1,3}\.[0-9]{1,12}$/), extension: ascii(/^[0-9]{1,5}$/) },
  'number',
)
const email = ascii(/^[a-z]{1,10}@[a-z]{1,10}\.test$/)
const disclosure = record({
  isShown: fc.boolean(),
  name: list(form, 0, 2),
  organization: list(form, 0, 2),
  address: list(form, 0, 2),
  voice: fc.boolean(),
  fax: fc.boolean(),
  email: fc.boolean(),
})
const contactStatuses = list(fc.constantFrom('ok', 'linked', 'clientDeleteProhibited'), 1)

const objectCommands: { [K in keyof ObjectCommands]: fc.Arbitrary<ObjectCommands[K]> } = {
  'domain:check': check,
  'domain:info': some<ObjectCommands['domain:info']>(
    {
      name: record({
        name: label,
        hosts: fc.constantFrom('all' as const, 'del' as const, 'sub' as const, 'none' as const),
      }),
      authInfo,
    },
    'name',
  ),
  'domain:create': some<ObjectCommands['domain:create']>(
    { name: label, period, nameservers, registrant: clientId, contacts, authInfo },
    'name',
    'contacts',
    'authInfo',
  ),
  'domain:renew': some<ObjectCommands['domain:renew']>(
    { name: label, currentExpiry: day, period },
    'name',
    'currentExpiry',
  ),
  'domain:transfer': some<ObjectCommands['domain:transfer']>({ name: label, period, authInfo }, 'name'),
  'domain:update': some<ObjectCommands['domain:update']>(
    {
      name: label,
      add: domainLists,
      remove: domainLists,
      change: some<{ registrant?: string; authInfo?: string | null }>({
        registrant: fc.oneof(clientId, fc.constant('')),
        authInfo: fc.option(authInfo) as fc.Arbitrary<string>,
      }),
    },
    'name',
  ),
  'domain:delete': record({ name: label }),
  'contact:check': contactCheck,
  'contact:info': some<ObjectCommands['contact:info']>({ id: clientId, authInfo }, 'id'),
  'contact:create': some<ObjectCommands['contact:create']>(
    { id: clientId, postal: list(postalInfo, 1, 2), voice: phone, fax: phone, email, authInfo, disclosure },
    'id',
    'postal',
    'email',
    'authInfo',
  ),
  'contact:update': some<ObjectCommands['contact:update']>(
    {
      id: clientId,
      add: record({ statuses: contactStatuses }),
      remove: record({ statuses: contactStatuses }),
      change: some<NonNullable<ObjectCommands['contact:update']['change']>>(
        { postal: list(postalChange, 0, 2), voice: phone, fax: phone, email, authInfo, disclosure },
        'postal',
      ),
    },
    'id',
  ),
  'contact:delete': record({ id: clientId }),
  'host:check': check,
  'host:info': record({ name: label }),
  'host:create': record({ name: label, addresses }),
  'host:update': some<ObjectCommands['host:update']>(
    {
      name: label,
      add: record({
        addresses,
        statuses: list(fc.constantFrom('clientDeleteProhibited', 'clientUpdateProhibited')),
      }),
      remove: record({ addresses, statuses: list(fc.constantFrom('clientDeleteProhibited')) }),
      change: record({ name: label }),
    },
    'name',
  ),
  'host:delete': record({ name: label }),
}

const amount = ascii(/^[0-9]{1,7}(\.[0-9]{1,2})?$/)
const fees = (min: number) =>
  list(
    some<{
      amount: string
      description?: string
      language?: string
      isRefundable?: boolean
      gracePeriod?: string
      applied?: 'immediate' | 'delayed'
    }>(
      {
        amount,
        description: words(),
        language,
        isRefundable: fc.boolean(),
        gracePeriod: fc.constantFrom('P5D', 'P1Y2M', 'PT12H', 'P1DT1M30S'),
        applied: fc.constantFrom('immediate', 'delayed'),
      },
      'amount',
    ),
    min,
  )
const credits = list(
  some<{ amount: string; description?: string }>(
    { amount: amount.map((each) => `-${each}`), description: words() },
    'amount',
  ),
)
const currency = fc.constantFrom('NGN', 'USD', 'EUR')
const feeAgreed = some<NonNullable<CommandExtensions['fee:create']>>(
  { currency, fees: fees(1), credits },
  'fees',
  'credits',
)
const feeCharged = some<NonNullable<ResponseExtensions['fee:creData']>>(
  {
    currency,
    period,
    fees: fees(0),
    credits,
    balance: fc.oneof(
      amount,
      amount.map((each) => `-${each}`),
    ),
    creditLimit: amount,
  },
  'fees',
  'credits',
)
const feeCommand = {
  name: fc.constantFrom('create', 'delete', 'renew', 'update', 'transfer', 'restore', 'custom'),
  customName: ascii(/^[a-z]{1,8}$/),
  phase: ascii(/^[a-z]{1,8}$/),
  subphase: ascii(/^[a-z]{1,8}$/),
  period,
} as const

const octet = fc.integer({ min: 0, max: 255 })
const key = record({
  flags: fc.integer({ min: 0, max: 65_535 }),
  protocol: octet,
  algorithm: octet,
  publicKey: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
})
const ds = some<{ keyTag: number; algorithm: number; digestType: number; digest: string; key?: never }>(
  {
    keyTag: fc.integer({ min: 0, max: 65_535 }),
    algorithm: octet,
    digestType: octet,
    digest: ascii(/^([0-9A-F]{2}){1,32}$/),
    key: key as never,
  },
  'keyTag',
  'algorithm',
  'digestType',
  'digest',
)
const lifeS = fc.integer({ min: 1, max: 2_147_483_647 })
const dsOrKeys = fc.oneof(
  record({ ds: list(ds, 1), keys: fc.constant([]) }),
  record({ ds: fc.constant([]), keys: list(key, 1) }),
)
const signer = fc
  .tuple(dsOrKeys, fc.option(lifeS))
  .map(([lists, life]) => (life === null ? lists : { ...lists, maxSignatureLifeS: life }))

const report = some<NonNullable<NonNullable<CommandExtensions['rgp:update']>['report']>>(
  {
    before: words(),
    after: words(),
    deletedAt: date,
    restoredAt: date,
    reason: words(),
    statements: list(words(), 1, 2),
    other: words(),
  },
  'before',
  'after',
  'deletedAt',
  'restoredAt',
  'reason',
  'statements',
)

const commandExtensions = some<CommandExtensions>({
  'secDNS:create': signer,
  'secDNS:update': some<NonNullable<CommandExtensions['secDNS:update']>>(
    {
      isUrgent: fc.boolean(),
      remove: fc.oneof(
        fc.constant({ all: true, ds: [], keys: [] }),
        dsOrKeys.map((lists) => ({ all: false, ...lists })),
      ),
      add: signer,
      change: some<{ maxSignatureLifeS?: number }>({ maxSignatureLifeS: lifeS }),
    },
    'isUrgent',
  ),
  'rgp:update': fc.oneof(
    fc.constant({ op: 'request' as const }),
    report.map((each) => ({ op: 'report' as const, report: each })),
  ),
  'fee:check': some<NonNullable<CommandExtensions['fee:check']>>(
    { currency, commands: list(some<never>(feeCommand as never, 'name' as never), 1) },
    'commands',
  ),
  'fee:create': feeAgreed,
  'fee:renew': feeAgreed,
  'fee:transfer': feeAgreed,
  'fee:update': feeAgreed,
})

const services = some<{ versions: string[]; languages: string[]; objects: string[]; extensions?: string[] }>(
  { versions: fc.constant(['1.0']), languages: list(language, 1), objects: list(uri, 1), extensions: list(uri, 1) },
  'versions',
  'languages',
  'objects',
)
const password = ascii(/^[!-~]{6,16}$/)

const sessionCommands: fc.Arbitrary<Pick<Command, 'kind' | 'body'>> = fc.oneof(
  fc.constant({ kind: 'logout' as const, body: null }),
  record({
    kind: fc.constant('login' as const),
    body: some<Extract<Command, { kind: 'login' }>['body']>(
      {
        registrarId: clientId,
        password,
        newPassword: password,
        options: record({ version: fc.constant('1.0'), language }),
        services: some<{ objects: string[]; extensions?: string[] }>(
          { objects: list(uri, 1), extensions: list(uri, 1) },
          'objects',
        ),
      },
      'registrarId',
      'password',
      'options',
      'services',
    ),
  }),
  record({
    kind: fc.constant('poll' as const),
    body: fc.oneof(
      fc.constant({ op: 'req' as const }),
      ascii(/^[0-9]{1,10}$/).map((messageId) => ({ op: 'ack' as const, messageId })),
    ),
  }),
)

const objectCommand = fc.oneof(
  ...Object.entries(objectCommands).map(([kind, body]) =>
    kind === 'domain:transfer'
      ? record({
          kind: fc.constant(kind),
          body,
          op: fc.constantFrom('approve', 'cancel', 'query', 'reject', 'request'),
        })
      : record({ kind: fc.constant(kind), body }),
  ),
)

/** Any command. */
export const anyCommand: fc.Arbitrary<Command> = fc
  .tuple(fc.oneof(sessionCommands, objectCommand, objectCommand), commandExtensions, fc.option(trid))
  .map(([verb, extensions, clTrid]) => ({ ...verb, extensions, ...(clTrid !== null && { clTrid }) }) as Command)

const responseData = fc.oneof(
  fc.constant({}),
  ...Object.entries({
    'domain:chkData': checkData(label),
    'domain:infData': some<NonNullable<ResponseData['domain:infData']>>(
      {
        name: label,
        roid,
        statuses: domainStatuses,
        registrant: clientId,
        contacts,
        nameservers,
        hosts: list(label),
        clId: clientId,
        crId: clientId,
        crDate: date,
        upId: clientId,
        upDate: date,
        exDate: date,
        trDate: date,
        authInfo,
      },
      'name',
      'roid',
      'statuses',
      'contacts',
      'hosts',
      'clId',
    ),
    'domain:creData': some<NonNullable<ResponseData['domain:creData']>>(
      { name: label, crDate: date, exDate: date },
      'name',
      'crDate',
    ),
    'domain:renData': some<NonNullable<ResponseData['domain:renData']>>({ name: label, exDate: date }, 'name'),
    'domain:trnData': some<NonNullable<ResponseData['domain:trnData']>>(
      {
        name: label,
        status: fc.constantFrom(
          'pending',
          'clientApproved',
          'serverApproved',
          'clientRejected',
          'clientCancelled',
          'serverCancelled',
        ),
        reId: clientId,
        reDate: date,
        acId: clientId,
        acDate: date,
        exDate: date,
      },
      'name',
      'status',
      'reId',
      'reDate',
      'acId',
      'acDate',
    ),
    'domain:panData': record({
      domain: record({ name: label, wasDone: fc.boolean() }),
      transaction: some<{ clTrid?: string; svTrid: string }>({ clTrid: trid, svTrid: trid }, 'svTrid'),
      date,
    }),
    'contact:chkData': checkData(clientId),
    'contact:infData': some<NonNullable<ResponseData['contact:infData']>>(
      {
        id: clientId,
        roid,
        statuses: contactStatuses,
        postal: list(postalInfo, 1, 2),
        voice: phone,
        fax: phone,
        email,
        clId: clientId,
        crId: clientId,
        crDate: date,
        upId: clientId,
        upDate: date,
        trDate: date,
        authInfo,
        disclosure,
      },
      'id',
      'roid',
      'statuses',
      'postal',
      'email',
      'clId',
      'crId',
      'crDate',
    ),
    'contact:creData': record({ id: clientId, crDate: date }),
    'host:chkData': checkData(label),
    'host:infData': some<NonNullable<ResponseData['host:infData']>>(
      {
        name: label,
        roid,
        statuses: list(fc.constantFrom('ok', 'linked'), 1),
        addresses,
        clId: clientId,
        crId: clientId,
        crDate: date,
        upId: clientId,
        upDate: date,
        trDate: date,
      },
      'name',
      'roid',
      'statuses',
      'addresses',
      'clId',
      'crId',
      'crDate',
    ),
    'host:creData': record({ name: label, crDate: date }),
  }).map(([name, data]) => (data as fc.Arbitrary<unknown>).map((value) => ({ [name]: value }))),
) as fc.Arbitrary<ResponseData>

const grace = fc
  .constantFrom('addPeriod', 'redemptionPeriod', 'pendingRestore')
  .map((status) => ({ statuses: [status] }))
const feeItem = some<NonNullable<ResponseExtensions['fee:chkData']>['items'][number]>(
  {
    object: record({ element: fc.constantFrom('name', 'id'), id: label }),
    isAvailable: fc.boolean(),
    class: ascii(/^[a-z]{1,8}$/),
    commands: list(
      some<never>(
        { ...feeCommand, isStandard: fc.boolean(), fees: fees(0), credits, reason: words() } as never,
        ...(['name', 'isStandard', 'fees', 'credits'] as never[]),
      ),
    ),
    reason: words(),
  },
  'object',
  'isAvailable',
  'commands',
)
const responseExtensions = some<ResponseExtensions>({
  'secDNS:infData': signer,
  'rgp:infData': grace,
  'rgp:upData': grace,
  'fee:chkData': record({ currency, items: list(feeItem, 1) }),
  'fee:creData': feeCharged,
  'fee:renData': feeCharged,
  'fee:trnData': feeCharged,
  'fee:updData': feeCharged,
  'fee:delData': feeCharged,
})

const result = record({
  code: fc.constantFrom(1000, 1001, 1300, 1301, 1500, 2005, 2104, 2302, 2303, 2304, 2400, 2502),
  message: some<{ text: string; language?: string }>({ text: words(), language }, 'text'),
  reasons: list(words()),
})

/** Any response. */
const anyResponse: fc.Arbitrary<Response> = some<Omit<Response, 'unread'>>(
  {
    results: list(result, 1, 2) as fc.Arbitrary<never>,
    queue: some<NonNullable<Response['queue']>>(
      { count: fc.nat(), id: ascii(/^[0-9]{1,10}$/), date, text: words() },
      'count',
      'id',
    ),
    data: responseData,
    extensions: responseExtensions,
    transaction: some<{ clTrid?: string; svTrid: string }>({ clTrid: trid, svTrid: trid }, 'svTrid'),
  },
  'results',
  'data',
  'extensions',
  'transaction',
)

/** Anything that can be sent. */
export const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  { arbitrary: anyCommand.map((command) => ({ kind: 'command' as const, command })), weight: 10 },
  { arbitrary: anyResponse.map((response) => ({ kind: 'response' as const, response })), weight: 10 },
  { arbitrary: fc.constant({ kind: 'hello' as const }), weight: 1 },
  {
    arbitrary: record({
      kind: fc.constant('greeting' as const),
      greeting: record({ serverId: ascii(/^[A-Za-z0-9 .-]{3,64}$/), date, services }),
    }),
    weight: 1,
  },
)
