import type pg from 'pg'

/** SQL, a boolean: the server of this session can be written. A standby cannot, nor one that is still being restored. */
export const isWritableHere = `current_setting('transaction_read_only') = 'off'`

/** Can the database be written by this connection? */
export async function isWritable(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select ${isWritableHere} as is`)
  return rows[0]?.is === true
}
