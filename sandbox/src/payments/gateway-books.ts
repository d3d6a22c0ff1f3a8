import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A transaction as stored by the gateway. */
export interface Transaction {
  readonly id: number
  readonly reference: string
  readonly email: string
  readonly amount: number
  readonly currency: string
  readonly callbackUrl: string
  /** `reversed`: the bank has returned the money without a refund by the shop. */
  status: 'ongoing' | 'success' | 'failed' | 'abandoned' | 'reversed'
  card: string | null
  paidAt: string | null
  /** The code with which its card can be charged again. If there is none, it was never paid. */
  authorization?: string
  /** The shop has charged a saved card, so no one has paid on the page. */
  readonly isCharge?: true
}

/** A card that a shop may charge again, with the email address of its payer. */
export interface Authorization {
  readonly code: string
  readonly email: string
  readonly card: string
  isActive: boolean
}

export interface KeptRefund {
  readonly id: number
  readonly transaction: number
  readonly reference: string
  readonly amount: number
  status: 'pending' | 'processed' | 'failed' | 'needs-attention'
}

interface Books {
  readonly transactions: readonly Transaction[]
  readonly refunds: readonly KeptRefund[]
  /** Missing in files of an earlier version. */
  readonly authorizations?: readonly Authorization[]
}

/** The data of the gateway, in one file that is kept across a restart. */
export class GatewayBooks {
  readonly #file: string | undefined
  readonly #transactions: Map<string, Transaction>
  readonly #refunds: Map<number, KeptRefund>
  readonly #authorizations: Map<string, Authorization>
  #last: number

  /** Without a folder, nothing is stored. */
  constructor(dataDir?: string) {
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
    this.#file = dataDir && join(dataDir, 'gateway.json')
    const { transactions, refunds, authorizations = [] } = this.#file === undefined ? empty : read(this.#file)
    this.#transactions = new Map(transactions.map((each) => [each.reference, each]))
    this.#refunds = new Map(refunds.map((each) => [each.id, each]))
    this.#authorizations = new Map(authorizations.map((each) => [each.code, each]))
    this.#last = Math.max(1_000, ...[...transactions, ...refunds].map(({ id }) => id))
  }

  transaction(reference: string): Transaction | undefined {
    return this.#transactions.get(reference)
  }

  /** The charges of saved cards. */
  charges(): readonly Transaction[] {
    return [...this.#transactions.values()].filter(({ isCharge }) => isCharge)
  }

  authorization(code: string): Authorization | undefined {
    return this.#authorizations.get(code)
  }

  /** The same card of the same payer keeps its code until it is deactivated. */
  authorize(email: string, card: string): Authorization {
    const active = [...this.#authorizations.values()].find(
      (each) => each.email === email && each.card === card && each.isActive,
    )
    if (active !== undefined) return active
    const made: Authorization = { code: `AUTH_${randomBytes(6).toString('hex')}`, email, card, isActive: true }
    this.#authorizations.set(made.code, made)
    return made
  }

  refundsOf(transaction: number): readonly KeptRefund[] {
    return [...this.#refunds.values()].filter((each) => each.transaction === transaction)
  }

  refund(id: number): KeptRefund | undefined {
    return this.#refunds.get(id)
  }

  addTransaction(
    wanted: Pick<Transaction, 'reference' | 'email' | 'amount' | 'currency' | 'callbackUrl' | 'isCharge'>,
  ): Transaction {
    const transaction: Transaction = { id: ++this.#last, ...wanted, status: 'ongoing', card: null, paidAt: null }
    this.#transactions.set(transaction.reference, transaction)
    this.keep()
    return transaction
  }

  addRefund({ id, reference }: Transaction, amount: number): KeptRefund {
    const refund: KeptRefund = { id: ++this.#last, transaction: id, reference, amount, status: 'pending' }
    this.#refunds.set(refund.id, refund)
    this.keep()
    return refund
  }

  /** Writes the data atomically. */
  keep(): void {
    if (this.#file === undefined) return
    const books: Books = {
      transactions: [...this.#transactions.values()],
      refunds: [...this.#refunds.values()],
      authorizations: [...this.#authorizations.values()],
    }
    writeFileSync(`${this.#file}.new`, JSON.stringify(books))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

const empty: Books = { transactions: [], refunds: [] }

function read(file: string): Books {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Books
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty
    throw error
  }
}
