// `npm run build`: the dashboard, built unless the same sources were built before. Prints its folder: what DASHBOARD_DIR takes.
import { buildDashboard } from '@zonewright/dashboard/build'

process.stdout.write(`${await buildDashboard(() => process.stderr.write('Building the dashboard…\n'))}\n`)
