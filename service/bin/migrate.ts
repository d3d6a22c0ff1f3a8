// Brings the schema of DATABASE_URL (or of the embedded PostgreSQL) to this version, and reports what it ran.

import { openPlatform } from '#compose/platform.ts'
import { tellStartFailure } from '#platform/work/process-life.ts'

try {
  const platform = await openPlatform('migrate')
  process.stdout.write('The schema is at this version.\n')
  await platform.close()
} catch (error) {
  tellStartFailure(error)
}
