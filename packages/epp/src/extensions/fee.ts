import {
  type Content,
  children,
  content,
  optionalAttribute,
  optionalChild,
  ownText,
  type Part,
  text,
} from '../content/content.ts'
import { language, type Period, period } from '../content/eppcom.ts'
import { decimal, line, oneOf, price, reduction, token, truth } from '../content/scalar.ts'
import { elementsOf } from '../element.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the fee mapping (RFC 8748). Amounts are decimal text: `12.50`. */
export const fee = elementsOf(Namespace.fee)

/** RFC 8748 §3.4. */
export interface Fee {
  readonly amount: string
  readonly description?: string
  readonly language?: string
  readonly isRefundable?: boolean
  /** How long the fee is refunded if the domain is deleted, as an ISO 8601 duration such as `P5D`. */
  readonly gracePeriod?: string
  readonly applied?: 'immediate' | 'delayed'
}

/** RFC 8748 §3.4.4: an amount not above zero. */
export interface Credit {
  readonly amount: string
  readonly description?: string
  readonly language?: string
}

const description = optionalAttribute('description', line('a description'))
const lang = optionalAttribute('lang', language)

const feeContent: Content<Fee> = content<Fee>({
  amount: ownText(price),
  description,
  language: lang,
  isRefundable: optionalAttribute('refundable', truth),
  gracePeriod: optionalAttribute(
    'grace-period',
    token('a duration', { pattern: /^P(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?(?<=[YMDHS])$/ }),
  ),
  applied: optionalAttribute('applied', oneOf('a time of payment', ['immediate', 'delayed'])),
})

const creditContent: Content<Credit> = content<Credit>({ amount: ownText(reduction), description, language: lang })

export const currency = token('a currency', { pattern: /^[A-Z]{3}$/ })

export const currencyPart: Part<string | undefined> = optionalChild(fee('currency'), text(currency))
export const periodPart: Part<Period | undefined> = optionalChild(fee('period'), period)
export const credits: Part<readonly Credit[]> = children(fee('credit'), creditContent)
export const fees: Part<readonly Fee[]> = children(fee('fee'), feeContent)
const someFees: Part<readonly Fee[]> = children(fee('fee'), feeContent, { min: 1 })

/** Extends a command that costs something: the amount that the client agrees to pay. The server refuses a different amount (RFC 8748 §5.2). */
export interface FeeAgreed {
  readonly currency?: string
  readonly fees: readonly Fee[]
  readonly credits: readonly Credit[]
}

export const feeAgreed: Content<FeeAgreed> = content<FeeAgreed>({ currency: currencyPart, fees: someFees, credits })

/** Extends the response: the cost, and the remaining balance. */
export interface FeeCharged {
  readonly currency?: string
  readonly period?: Period
  readonly fees: readonly Fee[]
  readonly credits: readonly Credit[]
  readonly balance?: string
  readonly creditLimit?: string
}

export const feeCharged: Content<FeeCharged> = content<FeeCharged>({
  currency: currencyPart,
  period: periodPart,
  fees,
  credits,
  balance: optionalChild(fee('balance'), text(decimal)),
  creditLimit: optionalChild(fee('creditLimit'), text(decimal)),
})

/** RFC 8748 §3.1. */
export const feeCommands = ['create', 'delete', 'renew', 'update', 'transfer', 'restore', 'custom'] as const

/** A command for which a price is requested or given. */
export interface FeeCommand {
  readonly name: (typeof feeCommands)[number]
  readonly customName?: string
  readonly phase?: string
  readonly subphase?: string
  readonly period?: Period
}
