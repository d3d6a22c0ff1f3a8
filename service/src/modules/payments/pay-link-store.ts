import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** A link with which someone without an account pays one order. */
export interface PayLink {
  readonly orderId: string
  /** Sealed. */
  readonly token: Buffer
  readonly expiresAt: Date
  readonly isExpired: boolean
}

const columns = sql`order_id as "orderId", token, expires_at as "expiresAt", expires_at <= app_now() as "isExpired"`

/** Creates an order's link, which replaces an earlier one. */
export async function upsertPayLink(
  tx: Tx,
  link: { orderId: string; tokenSha256: Buffer; token: Buffer; days: number },
): Promise<PayLink> {
  const { rows } = await sql<PayLink>`
    insert into pay_links (order_id, token_sha256, token, expires_at)
    values (${link.orderId}, ${link.tokenSha256}, ${link.token}, app_now() + make_interval(days => ${link.days}))
    on conflict (order_id) do update set token_sha256 = excluded.token_sha256, token = excluded.token, created_at = app_now(),
      expires_at = excluded.expires_at
    returning ${columns}`.execute(tx)
  return rows[0] as PayLink
}

export async function readPayLink(db: Db, orderId: string): Promise<PayLink | undefined> {
  const { rows } = await sql<PayLink>`select ${columns} from pay_links where order_id = ${orderId}`.execute(db)
  return rows[0]
}

export async function payLinkOf(db: Db, tokenSha256: Buffer): Promise<PayLink | undefined> {
  const { rows } = await sql<PayLink>`select ${columns} from pay_links where token_sha256 = ${tokenSha256}`.execute(db)
  return rows[0]
}

export async function deletePayLink(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`delete from pay_links where order_id = ${orderId} returning 1`.execute(tx)
  return rows.length > 0
}
