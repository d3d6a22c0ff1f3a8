// Runs the job `remove-unwritable-records` once on the database of DATABASE_URL, for a test that kills it while it runs. SECRET is the key of the
// secrets, in base 64.
import { recordJobs } from '#modules/records/index.ts'
import { createLogger } from '#platform/log.ts'
import { openDatabase } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { runJob } from './run-job.ts'

const database = openDatabase(process.env['DATABASE_URL'] ?? '', { application: 'zonewright removal' })
const secrets = new SecretBox(Buffer.from(process.env['SECRET'] ?? '', 'base64'))
const jobs = recordJobs({ log: createLogger('removal', 'error'), secrets, site: 'http://dashboard.test' })
await runJob(jobs, 'remove-unwritable-records', database)
await database.close()
