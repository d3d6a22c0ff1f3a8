// What other folders use of PostgreSQL: transactions, statements, locks and wake-ups. How the database is started and migrated is imported
// from its own file.

export { advisoryLocks } from './advisory-locks.ts'
export {
  type Database,
  type Db,
  databaseNow,
  maxConnections,
  openDatabase,
  type Statement,
  sql,
  type Tx,
  withOutagesInDoubt,
  withOutagesNamed,
} from './db.ts'
export { largeCommit, type Readiness, type Writes } from './health.ts'
export { isUnavailable } from './outage.ts'
export { byIndexAlone, withoutWaitingForDisk } from './queue-settings.ts'
export { Wake, wakeApplication } from './wake.ts'
export { isWritableHere } from './writable.ts'
