import { type Db, sql, type Tx } from '#platform/postgres/index.ts'

/** How long a device stays known after its latest complete sign-in. */
export const deviceDays = 90
/** Maximum number of known devices of an account; a new one replaces the oldest. */
const mostDevices = 20

/** Which of these devices the account has signed in from. */
export async function knownDevice(db: Db, accountId: string, devices: readonly Buffer[]): Promise<Buffer | undefined> {
  const { rows } = await sql<{ device: Buffer }>`
    select device_sha256 as device from account_devices
    where account_id = ${accountId} and device_sha256 = any(${devices}::bytea[]) and expires_at > app_now() limit 1`.execute(
    db,
  )
  return rows[0]?.device
}

/** Keeps a device known for another 90 days. */
export async function renewDevice(tx: Tx, accountId: string, device: Buffer, sessionId: string): Promise<void> {
  await sql`
    update account_devices set session_id = ${sessionId}, expires_at = app_now() + make_interval(days => ${deviceDays})
    where account_id = ${accountId} and device_sha256 = ${device}`.execute(tx)
}

export async function addDevice(tx: Tx, accountId: string, device: Buffer, sessionId: string): Promise<void> {
  await sql`
    insert into account_devices (device_sha256, account_id, session_id, expires_at)
    values (${device}, ${accountId}, ${sessionId}, app_now() + make_interval(days => ${deviceDays}))`.execute(tx)
  await sql`
    delete from account_devices where account_id = ${accountId} and device_sha256 in (
      select device_sha256 from account_devices where account_id = ${accountId}
      order by expires_at desc, created_at desc offset ${mostDevices})`.execute(tx)
}

/** Moves the known device of a session to the session that replaced it in the same browser. */
export async function moveDevice(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update account_devices set session_id = ${to} where session_id = ${from}`.execute(tx)
}

/** Deletes the known device from which the account's session with this token was signed in. */
export async function dropDeviceOf(db: Db, accountId: string, token: string): Promise<void> {
  await sql`
    delete from account_devices d using account_sessions s
    where s.token = ${token} and s.account_id = ${accountId} and d.account_id = s.account_id and d.session_id = s.id`.execute(
    db,
  )
}

/** Cleanup. */
export async function dropOldDevices(db: Db): Promise<void> {
  await sql`delete from account_devices where expires_at < app_now()`.execute(db)
}
