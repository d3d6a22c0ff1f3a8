/** A column whose content is sealed with `SECRET_KEY`, or with a key that is derived from it. */
interface SealedColumn {
  /** Identifies a row. */
  readonly id: 'id' | 'key_id' | 'order_id'
  readonly idType: 'text' | 'bigint' | 'uuid'
  /** What `SecretBox` authenticates with a value: this text and the content of the column `of`. Without it, better-auth seals the column. */
  readonly purpose?: string
  readonly of?: string
  /** `SecretBox` seals it with the key that `tsigSealingKey` derives, so that the DNS door opens it without `SECRET_KEY`. */
  readonly derived?: true
}

/**
 * Every column whose content is sealed. `reseal-secrets` walks this list when `SECRET_KEY` is replaced, and `SecretBox` seals for no other
 * column. A purpose never changes, because stored values could no longer be opened.
 */
export const sealedColumns = {
  'account_two_factors.backup_codes': { id: 'id', idType: 'uuid' },
  'account_two_factors.secret': { id: 'id', idType: 'uuid' },
  'api_key_tsig.secret': { id: 'key_id', idType: 'text', purpose: 'tsig secret of ', of: 'key_id', derived: true },
  'cards.code': { id: 'id', idType: 'text', purpose: 'card ', of: 'id' },
  'domain_acts.secret': { id: 'id', idType: 'bigint', purpose: 'domain act of ', of: 'domain_id' },
  'mails.content': { id: 'id', idType: 'text', purpose: 'mail content ', of: 'id' },
  'orders.auth_code': { id: 'id', idType: 'text', purpose: 'order auth code ', of: 'id' },
  'pay_links.token': { id: 'order_id', idType: 'text', purpose: 'pay link ', of: 'order_id' },
  'webhook_endpoints.headers': { id: 'id', idType: 'text', purpose: 'webhook headers of ', of: 'id' },
  'webhook_endpoints.secrets': { id: 'id', idType: 'text', purpose: 'webhook secret of ', of: 'id' },
} as const satisfies Readonly<Record<string, SealedColumn>>

export type SealedColumnName = keyof typeof sealedColumns

/** The columns that `SecretBox` seals. */
export type BoxedColumn = {
  [name in SealedColumnName]: (typeof sealedColumns)[name] extends { purpose: string } ? name : never
}[SealedColumnName]

/** Whether a derived key seals the column. */
export function isDerived(column: BoxedColumn): boolean {
  return 'derived' in sealedColumns[column]
}

export function isBoxed(column: SealedColumnName): column is BoxedColumn {
  return 'purpose' in sealedColumns[column]
}
