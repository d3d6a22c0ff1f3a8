import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Behaviours } from '../behaviours.ts'
import { type Answer, createAnswerServer, html, json, parseJson } from '../web/answer.ts'
import { listen } from '../web/listen.ts'
import { readBody } from '../web/read-body.ts'
import { callOf, type GatewayBehaviour, gatewayCalls, readGatewayBehaviour } from './behaviour.ts'
import { type Card, cardOf } from './cards.ts'
import { GatewayBooks, type Transaction } from './gateway-books.ts'
import { checkoutPage, messagePage } from './page.ts'
import { refundData, refundNews, sendWebhook, transactionData } from './webhooks.ts'

export interface GatewayOptions {
  /** The folder of its data. If left out, nothing is stored. */
  readonly dataDir?: string
  /** `host:port` of API and checkout page, plain http: keep it on the loopback interface. Port 0 takes a free one. */
  readonly httpListen: string
  readonly secretKey: string
  /** The URL to which webhooks are sent; undefined: none are sent. */
  readonly webhookUrl?: string
  readonly log?: (message: string) => void
}

/** A running card gateway: Paystack's API for what a shop needs, a checkout page, and signed webhooks. */
export interface Gateway {
  readonly address: string
  readonly books: GatewayBooks
  /** Pays as a person would on the checkout page. */
  pay(reference: string, card: string): Promise<void>
  /** Sets how API calls are handled from now on, by call. */
  readonly behaviours: Behaviours<GatewayBehaviour>
  close(): Promise<void>
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const books = new GatewayBooks(options.dataDir)
  const till = new Till(books, options)
  const behaviours = new Behaviours<GatewayBehaviour>()
  const server = createAnswerServer(async (request) => {
    if (request.method === 'PUT' && request.url?.startsWith('/behaviour')) return behave(request, behaviours)
    const call = callOf(request.method, request.url ?? '')
    const { answer, status, delayMs = 0 } = (call && behaviours.take(call)) ?? {}
    await delay(delayMs)
    if (status !== undefined) return json(status, { status: false, message: 'As configured' })
    const usual = await route(request, { books, till, secretKey: options.secretKey, address: () => address })
    if (answer === 'drop') throw new Error('the answer is lost')
    return answer === 'hang' ? await new Promise<never>(() => undefined) : usual
  })
  const address = await listen(server, options.httpListen)
  return {
    address,
    books,
    pay: (reference, number) => {
      const [transaction, card] = [books.transaction(reference), cardOf(number)]
      if (transaction === undefined || card === undefined) throw new Error('there is no such transaction or card')
      return till.pay(transaction, card)
    },
    behaviours,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function behave(request: IncomingMessage, behaviours: Behaviours<GatewayBehaviour>): Promise<Answer> {
  const behaviour = readGatewayBehaviour(parseJson(await readBody(request)))
  if (typeof behaviour === 'string') return json(422, { error: behaviour })
  const call = new URL(request.url ?? '/', 'http://gateway').searchParams.get('call') ?? ''
  if (call !== '' && !gatewayCalls.some((each) => each === call))
    return json(422, { error: `Calls are ${gatewayCalls.join(', ')}.` })
  behaviours.set(behaviour, call)
  return json(200, behaviour)
}

/** Moves the money, and sends the webhook. */
class Till {
  readonly #books: GatewayBooks
  readonly #secretKey: string
  readonly #log: (message: string) => void
  readonly #webhookUrl: string | undefined

  constructor(books: GatewayBooks, { secretKey, webhookUrl, log = () => undefined }: GatewayOptions) {
    this.#books = books
    this.#secretKey = secretKey
    this.#log = log
    this.#webhookUrl = webhookUrl
  }

  async pay(transaction: Transaction, card: Card): Promise<void> {
    // A declined payer can try again.
    if (transaction.status !== 'ongoing' && transaction.status !== 'failed') return
    transaction.card = card.number
    // The bank of a late card responds only on request.
    if (card.webhook !== 'late') await this.finish(transaction, card)
    else this.#books.keep()
  }

  /** The decision of the bank about a payment. */
  async finish(transaction: Transaction, card: Card): Promise<void> {
    transaction.status = card.pays
    await this.#paid(transaction, card)
  }

  /** The decision of the bank about a charge of a saved card. The bank may first ask the owner, on the page of the payment. */
  async charge(transaction: Transaction, card: Card): Promise<void> {
    transaction.card = card.number
    if (card.again === 'challenged') return this.#books.keep()
    transaction.status = card.again ?? card.pays
    await this.#paid(transaction, card)
  }

  async #paid(transaction: Transaction, card: Card): Promise<void> {
    const isPaid = transaction.status === 'success'
    transaction.paidAt = isPaid ? new Date().toISOString() : null
    if (isPaid) transaction.authorization = this.#books.authorize(transaction.email, card.number).code
    this.#books.keep()
    if (!isPaid || card.webhook === 'never' || card.webhook === 'reordered') return
    const times = card.webhook === 'twice' ? 2 : 1
    for (let n = 0; n < times; n++) await this.#tell('charge.success', transactionData(transaction))
  }

  async refund(transaction: Transaction, amount: number): Promise<object> {
    const refund = this.#books.addRefund(transaction, amount)
    const first = refundData(refund)
    // The bank responds later. By then, the API has returned `pending`.
    setImmediate(() => void this.#endRefund(transaction, refund.id))
    return first
  }

  async #endRefund(transaction: Transaction, id: number): Promise<void> {
    const [refund, card] = [this.#books.refund(id), cardOf(transaction.card ?? '')]
    if (refund === undefined) return
    refund.status = card?.refund ?? 'processed'
    this.#books.keep()
    if (card?.webhook === 'never') return
    await this.#tell(`refund.${refund.status}`, refundNews(refund))
    if (card?.webhook === 'reordered') await this.#tell('charge.success', transactionData(transaction))
  }

  #tell(event: string, data: object): Promise<void> {
    return sendWebhook({ url: this.#webhookUrl, secretKey: this.#secretKey, log: this.#log }, event, data)
  }
}

interface Counter {
  readonly books: GatewayBooks
  readonly till: Till
  readonly secretKey: string
  readonly address: () => string
}

async function route(request: IncomingMessage, counter: Counter): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://gateway')
  const [, part, ...rest] = url.pathname.split('/')
  if (part === 'checkout') return checkout(request, decodeURIComponent(rest[0] ?? ''), counter)
  if (part === 'late' && request.method === 'POST') return payLate(decodeURIComponent(rest[0] ?? ''), counter)
  if (request.headers.authorization !== `Bearer ${counter.secretKey}`)
    return json(401, { status: false, message: 'Invalid key' })
  switch (`${request.method} /${part}/${rest[0] ?? ''}`) {
    case 'POST /transaction/initialize':
      return initialize(parseJson(await readBody(request)), counter)
    case 'GET /transaction/verify':
      return verify(decodeURIComponent(rest[1] ?? ''), counter)
    case 'POST /transaction/charge_authorization':
      return charge(parseJson(await readBody(request)), counter)
    case 'POST /customer/authorization':
      return deactivate(parseJson(await readBody(request)), counter)
    case 'POST /refund/':
      return refund(parseJson(await readBody(request)), counter)
    case 'GET /refund/':
      return done(
        counter.books
          .refundsOf(Number(url.searchParams.get('transaction')))
          .toReversed()
          .map(refundData),
      )
  }
  if (request.method === 'GET' && part === 'refund') {
    const found = counter.books.refund(Number(rest[0]))
    return found ? done(refundData(found)) : json(404, { status: false, message: 'Refund not found' })
  }
  return json(404, { status: false, message: 'Not found' })
}

function done(data: unknown): Answer {
  return json(200, { status: true, message: 'ok', data })
}

function initialize(body: unknown, { books, address }: Counter): Answer {
  const {
    email,
    amount,
    currency = 'NGN',
    reference,
    callback_url: callbackUrl = '',
  } = (body ?? {}) as Record<string, string>
  if (!email?.includes('@') || !/^[1-9]\d*$/.test(String(amount)))
    return json(400, { status: false, message: 'Invalid email or amount' })
  if (!reference || !/^[\w.=-]+$/.test(reference) || books.transaction(reference))
    return json(400, { status: false, message: 'Duplicate or invalid transaction reference' })
  books.addTransaction({ email, amount: Number(amount), currency, reference, callbackUrl })
  const page = `http://${address()}/checkout/${encodeURIComponent(reference)}`
  return done({ authorization_url: page, access_code: reference, reference })
}

/** Charges a saved card. A reference is valid for one transaction. */
async function charge(body: unknown, { books, till, address }: Counter): Promise<Answer> {
  const {
    email = '',
    amount,
    currency = 'NGN',
    reference = '',
    authorization_code: code = '',
  } = (body ?? {}) as Record<string, string>
  const authorization = books.authorization(code)
  if (!/^[1-9]\d*$/.test(String(amount)) || !/^[\w.=-]+$/.test(reference))
    return json(400, { status: false, message: 'Invalid amount or transaction reference' })
  if (books.transaction(reference)) return json(400, { status: false, message: 'Duplicate Transaction Reference' })
  if (authorization?.isActive !== true || authorization.email.toLowerCase() !== email.toLowerCase())
    return json(400, { status: false, message: 'Invalid authorization code or email' })
  const card = cardOf(authorization.card)
  if (card === undefined) return json(400, { status: false, message: 'Invalid card' })
  const wanted = { email, amount: Number(amount), currency, reference, callbackUrl: '', isCharge: true } as const
  const transaction = books.addTransaction(wanted)
  await till.charge(transaction, card)
  if (transaction.status !== 'ongoing') return done(transactionData(transaction))
  const page = `http://${address()}/checkout/${encodeURIComponent(reference)}`
  return done({ authorization_url: page, access_code: reference, reference, paused: true })
}

/** It cannot be undone. */
function deactivate(body: unknown, { books }: Counter): Answer {
  const authorization = books.authorization(
    String((body as { authorization_code?: string } | null)?.authorization_code),
  )
  if (authorization === undefined) return json(404, { status: false, message: 'Authorization code not found' })
  authorization.isActive = false
  books.keep()
  return json(200, { status: true, message: 'Authorization has been deactivated' })
}

function verify(reference: string, { books }: Counter): Answer {
  const transaction = books.transaction(reference)
  return transaction
    ? done(transactionData(transaction))
    : json(400, { status: false, message: 'Transaction reference not found.', code: 'transaction_not_found' })
}

async function refund(body: unknown, { books, till }: Counter): Promise<Answer> {
  const { transaction: reference, amount } = (body ?? {}) as { transaction?: string; amount?: number }
  const transaction = books.transaction(String(reference))
  if (transaction?.status !== 'success') return json(400, { status: false, message: 'Transaction has not been paid' })
  const refunded = books
    .refundsOf(transaction.id)
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, each) => sum + each.amount, 0)
  const wanted = amount ?? transaction.amount
  if (refunded + wanted > transaction.amount)
    return json(400, { status: false, message: 'Transaction has been fully reversed' })
  return done(await till.refund(transaction, wanted))
}

async function checkout(request: IncomingMessage, reference: string, { books, till }: Counter): Promise<Answer> {
  const transaction = books.transaction(reference)
  if (transaction === undefined) return { ...html(messagePage('There is no such payment.')), status: 404 }
  if (request.method !== 'POST') return html(checkoutPage(transaction))
  const card = cardOf(new URLSearchParams((await readBody(request)).toString('utf8')).get('card') ?? '')
  if (card === undefined) return { ...html(messagePage('This card is not known here.')), status: 422 }
  await till.pay(transaction, card)
  if (transaction.callbackUrl === '') return html(messagePage(`The payment is ${transaction.status}.`))
  const back = new URL(transaction.callbackUrl)
  back.searchParams.set('reference', reference)
  return { status: 303, type: 'text/plain', body: '', headers: { location: back.href } }
}

/** The bank of a late card responds now. */
async function payLate(reference: string, { books, till }: Counter): Promise<Answer> {
  const transaction = books.transaction(reference)
  const card = cardOf(transaction?.card ?? '')
  if (transaction === undefined || card?.webhook !== 'late')
    return json(404, { status: false, message: 'No late payment of that reference' })
  await till.finish(transaction, card)
  return done(transactionData(transaction))
}
