import {
  attribute,
  attributeOr,
  type Content,
  child,
  children,
  content,
  optionalAttribute,
  optionalChild,
  ownText,
  text,
} from '../content/content.ts'
import { label } from '../content/eppcom.ts'
import { line, oneOf, token, truth } from '../content/scalar.ts'
import {
  type Credit,
  credits,
  currency,
  currencyPart,
  type Fee,
  type FeeCommand,
  fee,
  feeCommands,
  fees,
  periodPart,
} from './fee.ts'

/** Extends a check: requests the prices of commands (RFC 8748 §5.1.1). */
export interface FeeCheck {
  readonly currency?: string
  readonly commands: readonly FeeCommand[]
}

const commandParts = {
  name: attribute('name', oneOf('a command with a fee', feeCommands)),
  customName: optionalAttribute('customName', token('a command')),
  phase: optionalAttribute('phase', token('a phase')),
  subphase: optionalAttribute('subphase', token('a phase')),
  period: periodPart,
} as const

export const feeCheck: Content<FeeCheck> = content<FeeCheck>({
  currency: currencyPart,
  commands: children(fee('command'), content<FeeCommand>(commandParts), { min: 1 }),
})

export interface FeeCheckData {
  readonly currency: string
  readonly items: readonly FeeCheckItem[]
}

/** The prices of one object. */
export interface FeeCheckItem {
  readonly object: { readonly element: string; readonly id: string }
  /** False: the server gives no prices for it, for the reason in `reason`. */
  readonly isAvailable: boolean
  /** RFC 8748 §3.7: `standard`, `premium` or whatever the registry calls it. */
  readonly class?: string
  readonly commands: readonly FeeOfCommand[]
  readonly reason?: string
}

export interface FeeOfCommand extends FeeCommand {
  /** Whether this is the standard price of names in this TLD. */
  readonly isStandard: boolean
  readonly fees: readonly Fee[]
  readonly credits: readonly Credit[]
  readonly reason?: string
}

const reason = optionalChild(fee('reason'), text(line('a reason')))

const feeOfCommand: Content<FeeOfCommand> = content<FeeOfCommand>({
  ...commandParts,
  isStandard: attributeOr('standard', truth, false),
  fees,
  credits,
  reason,
})

const item: Content<FeeCheckItem> = content<FeeCheckItem>({
  object: child(
    fee('objID'),
    content<FeeCheckItem['object']>({
      element: attributeOr('element', token('an element', { min: 1, pattern: /^[\w.:-]+$/ }), 'name'),
      id: ownText(label),
    }),
  ),
  isAvailable: attributeOr('avail', truth, true),
  class: optionalChild(fee('class'), text(token('a class'))),
  commands: children(fee('command'), feeOfCommand),
  reason,
})

export const feeCheckData: Content<FeeCheckData> = content<FeeCheckData>({
  currency: child(fee('currency'), text(currency)),
  items: children(fee('cd'), item, { min: 1 }),
})
