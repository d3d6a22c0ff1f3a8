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
  status: 'ongoing' | 'success' | 'failed' | 'abandoned'
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
  transactions: Transaction[]
  refunds: KeptRefund[]
}

/** What the gateway knows, kept in one file so that it outlives a restart. */
export class GatewayBooks {
  readonly #file: string
  readonly #books: Books
  #last: number

  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true })
    this.#file = join(dataDir, 'gateway.json')
    this.#books = read(this.#file)
    this.#last = Math.max(1_000, ...[...this.#books.transactions, ...this.#books.refunds].map(({ id }) => id))
  }

  get transactions(): readonly Transaction[] {
    return this.#books.transactions
  }

  transaction(reference: string): Transaction | undefined {
    return this.#books.transactions.find((each) => each.reference === reference)
  }

  refundsOf(transaction: number): readonly KeptRefund[] {
    return this.#books.refunds.filter((each) => each.transaction === transaction)
  }

  refund(id: number): KeptRefund | undefined {
    return this.#books.refunds.find((each) => each.id === id)
  }

  addTransaction(
    wanted: Pick<Transaction, 'reference' | 'email' | 'amount' | 'currency' | 'callbackUrl'>,
  ): Transaction {
    const transaction: Transaction = { id: ++this.#last, ...wanted, status: 'ongoing', card: null, paidAt: null }
    this.#books.transactions.push(transaction)
    this.keep()
    return transaction
  }

  addRefund({ id, reference }: Transaction, amount: number): KeptRefund {
    const refund: KeptRefund = { id: ++this.#last, transaction: id, reference, amount, status: 'pending' }
    this.#books.refunds.push(refund)
    this.keep()
    return refund
  }

  /** Writes what is known, whole or not at all. */
  keep(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#books))
    renameSync(`${this.#file}.new`, this.#file)
  }
}

function read(file: string): Books {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Books
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { transactions: [], refunds: [] }
    throw error
  }
}
