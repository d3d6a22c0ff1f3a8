import { type Command, Namespace, type Response, type ResponseExtensions } from '@zonewright/epp'
import type { DomainCheck, Money, Reading } from '#ports/registry.ts'
import { ask, needed } from './ask.ts'
import { sumOf } from './money.ts'
import type { SessionPool } from './session-pool.ts'

const priced = ['create', 'renew', 'transfer', 'restore'] as const
type Priced = (typeof priced)[number]
type FeeOfCommand = NonNullable<ResponseExtensions['fee:chkData']>['items'][number]['commands'][number]

const noFees = { create: null, renew: null, transfer: null, restore: null }

/** Checks names in as many commands as the registry's limit makes necessary; the first command without a response decides. */
export async function checkDomains(
  pool: SessionPool,
  names: readonly string[],
  years: number,
  namesInCheck: number,
): Promise<Reading<readonly DomainCheck[]>> {
  const checks: DomainCheck[] = []
  let reading: Reading<readonly DomainCheck[]> | undefined
  for (let from = 0; from < names.length; from += namesInCheck) {
    const some = names.slice(from, from + namesInCheck)
    reading = await ask(
      pool,
      (speaks, clTrid) => questionFor(some, years, speaks, clTrid),
      (response) => checksOf(some, response),
    )
    if (reading.kind !== 'done') return reading
    checks.push(...reading.value)
  }
  return reading?.kind === 'done'
    ? { ...reading, value: checks }
    : { kind: 'done', value: [], reply: { code: 1000, message: 'No query was sent.', svTrid: '' } }
}

function questionFor(
  ids: readonly string[],
  years: number,
  speaks: (namespace: string) => boolean,
  clTrid: string,
): Command {
  const period = { unit: 'y' as const, length: years }
  // A restore has no period (RFC 8748 §5.1.1).
  const commands = priced.map((name) => (name === 'restore' ? { name } : { name, period }))
  const extensions = speaks(Namespace.fee) ? { 'fee:check': { commands } } : {}
  return { kind: 'domain:check', body: { ids }, extensions, clTrid }
}

function checksOf(names: readonly string[], { data, extensions }: Response): DomainCheck[] {
  const { items } = needed(data['domain:chkData'], 'domain:chkData')
  const found = new Map(items.map((item) => [item.id.toLowerCase(), item]))
  return names.map((name) => {
    const { isAvailable, reason } = needed(found.get(name), name)
    return { name, isAvailable, reason: reason ?? null, ...pricesOf(name, extensions['fee:chkData']) }
  })
}

/**
 * The meaning of the registry's fees for a name. The class applies to the name, and `standard` to each command (RFC 8748 §3.7, §5.1.1): a premium
 * name may be renewed at the usual price.
 */
export function pricesOf(
  name: string,
  data: ResponseExtensions['fee:chkData'],
): Pick<DomainCheck, 'isPremium' | 'fees'> {
  const item = data?.items.find(({ object }) => object.id.toLowerCase() === name)
  if (data === undefined || item === undefined) return { isPremium: premium(() => false), fees: noFees }
  if (!item.isAvailable) return { isPremium: premium(() => true), fees: noFees }
  const isStandardName = item.class === undefined || item.class.toLowerCase() === 'standard'
  const toldOf = (command: Priced): FeeOfCommand | undefined => item.commands.find((each) => each.name === command)
  const feeFor = (command: Priced): Money | null => {
    const told = toldOf(command)
    if (told === undefined || told.fees.length === 0) return null
    return { amount: sumOf([...told.fees, ...told.credits]), currency: data.currency }
  }
  return {
    isPremium: premium((command) => !isStandardName && toldOf(command)?.isStandard !== true),
    fees: {
      create: feeFor('create'),
      renew: feeFor('renew'),
      transfer: feeFor('transfer'),
      restore: feeFor('restore'),
    },
  }
}

function premium(is: (command: Priced) => boolean): DomainCheck['isPremium'] {
  return { create: is('create'), renew: is('renew'), transfer: is('transfer') }
}
