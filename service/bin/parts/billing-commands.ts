import { parseArgs } from 'node:util'
import { type OrderKind, orderKinds } from '@zonewright/contract'
import { createPromo, endPromo, grantCredit, kobo, promoCodeOf } from '#modules/billing/index.ts'
import { Refusal } from '#platform/errors.ts'
import { accountOf } from './account-of.ts'
import { type Command, chosenWords, wholeOf } from './admin-command.ts'

/** Operator commands that give credit and promo codes. */
export const billingCommands: Readonly<Record<string, Command>> = {
  'credit grant': {
    usage: 'credit grant EMAIL KOBO [NOTE]',
    summary: 'give an account credit; the note is shown with it',
    run: async (tx, actor, [email = '', amount = '', ...note]) => {
      const { id: accountId } = await accountOf(tx, email)
      const amountKobo = kobo(wholeOf('KOBO', amount))
      return grantCredit(tx, actor, { accountId, amountKobo, note: chosenWords('NOTE', note) })
    },
  },
  'promo create': {
    usage:
      'promo create CODE (--percent N | --fixed KOBO) [--kinds register,…] [--tlds TLD,…] [--account EMAIL] [--from TIME] [--until TIME] [--uses N] [--repeatable]',
    summary: 'create a promo code; each account can use it once unless it is repeatable',
    run: async (tx, actor, args) => {
      const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: promoOptions })
      const code = promoCodeOf(positionals[0] ?? '')
      await createPromo(tx, actor, {
        code,
        percent: values.percent === undefined ? null : wholeOf('--percent', values.percent, 100),
        fixedKobo: values.fixed === undefined ? null : wholeOf('--fixed', values.fixed),
        kinds: values.kinds?.split(',').map(kindOf) ?? null,
        tlds: values.tlds?.split(',') ?? null,
        accountId: values.account === undefined ? null : (await accountOf(tx, values.account)).id,
        startsAt: timeOf('--from', values.from),
        endsAt: timeOf('--until', values.until),
        maxUses: values.uses === undefined ? null : wholeOf('--uses', values.uses),
        onceAnAccount: values.repeatable !== true,
      })
      return { created: code }
    },
  },
  'promo end': {
    usage: 'promo end CODE',
    summary: 'end a promo code; orders that have already reserved it keep it',
    run: async (tx, actor, [code = '']) => {
      await endPromo(tx, actor, code)
      return { ended: promoCodeOf(code) }
    },
  },
}

const promoOptions = {
  percent: { type: 'string' },
  fixed: { type: 'string' },
  kinds: { type: 'string' },
  tlds: { type: 'string' },
  account: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  uses: { type: 'string' },
  repeatable: { type: 'boolean' },
} as const

function kindOf(text: string): OrderKind {
  const kind = orderKinds.find((each) => each === text)
  if (kind === undefined)
    throw new Refusal(
      'validation_failed',
      `The kind of order must be one of ${orderKinds.join(', ')}, not ${JSON.stringify(text)}.`,
    )
  return kind
}

function timeOf(what: string, text: string | undefined): string | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new Refusal(
      'validation_failed',
      `${what} must be a time such as 2026-12-31T23:00:00Z, not ${JSON.stringify(text)}.`,
    )
  return time.toISOString()
}
