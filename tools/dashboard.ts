// `npm run build`: builds the dashboard unless the same sources were built before. Prints its folder, the value for DASHBOARD_DIR.
import { buildDashboard } from '@zonewright/dashboard/build'

process.stdout.write(`${await buildDashboard(() => process.stderr.write('Building the dashboard…\n'))}\n`)
