// What other folders use of PostgreSQL: transactions, statements, locks and wake-ups. How the database is started and migrated is imported
// from its own file.

export { advisoryLocks } from './advisory-locks.ts'
export {
  type Database,
  type Db,
  databaseNow,
  type LateTransaction,
  maxConnections,
  openDatabase,
  requireAtCommit,
  runTogether,
  type Statement,
  sql,
  statementOf,
  type Tx,
  wakeAfterCommit,
  withOutagesInDoubt,
  withOutagesNamed,
  writeAtCommit,
  writeRowAtCommit,
} from './db.ts'
export { isOutage } from './outage.ts'
export { applySettings, byIndexAlone, relaxed, withoutWaitingForDisk } from './queue-settings.ts'
export { recordset } from './recordset.ts'
export { Wake, wakeApplication } from './wake.ts'
export { isWritable, isWritableHere } from './writable.ts'
