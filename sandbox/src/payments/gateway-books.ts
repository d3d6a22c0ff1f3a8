import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A transaction as the gateway keeps it. */
export interface Transaction {
  readonly id: number
  readonly reference: string
  readonly email: string
  readonly amount: number
  readonly currency: string
  readonly callbackUrl: string
  /** `reversed`: the bank has sent the money back, without a refund of the shop's. */
  status: 'ongoing' | 'success' | 'failed' | 'abandoned' | 'reversed'
  card: string | null
  paidAt: string | null
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
}

/** What the gateway knows, kept in one file so that it outlives a restart. */
export class GatewayBooks {
  readonly #file: string | undefined
  readonly #transactions: Map<string, Transaction>
  readonly #refunds: Map<number, KeptRefund>
  #last: number

  /** Without a folder nothing is kept. */
  constructor(dataDir?: string) {
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true })
    this.#file = dataDir && join(dataDir, 'gateway.json')
    const { transactions, refunds } = this.#file === undefined ? empty : read(this.#file)
    this.#transactions = new Map(transactions.map((each) => [each.reference, each]))
    this.#refunds = new Map(refunds.map((each) => [each.id, each]))
    this.#last = Math.max(1_000, ...[...transactions, ...refunds].map(({ id }) => id))
  }

  transaction(reference: string): Transaction | undefined {
    return this.#transactions.get(reference)
  }

  refundsOf(transaction: number): readonly KeptRefund[] {
    return [...this.#refunds.values()].filter((each) => each.transaction === transaction)
  }

  refund(id: number): KeptRefund | undefined {
    return this.#refunds.get(id)
  }

  addTransaction(
    wanted: Pick<Transaction, 'reference' | 'email' | 'amount' | 'currency' | 'callbackUrl'>,
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

  /** Writes what is known, whole or not at all. */
  keep(): void {
    if (this.#file === undefined) return
    const books: Books = { transactions: [...this.#transactions.values()], refunds: [...this.#refunds.values()] }
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
