// `npm run dev`: what `npm start` runs, for development. The service restarts when one of its files changes. Vite serves the dashboard, with hot
// reload, and forwards requests to the API to the service.
import { serveDashboard } from '@zonewright/dashboard/serve'
import { dataDirOf } from '@zonewright/service/data-dir'
import { documentedAddresses, environmentOf, hostAndPort, inUse } from './local/addresses.ts'
import { runInForeground } from './local/foreground.ts'
import { startInstallation } from './local/installation.ts'

const { env } = process

await runInForeground(async () => {
  const addresses = documentedAddresses(env)
  const listen = env['DASHBOARD_LISTEN'] ?? '127.0.0.1:5173'
  const taken = await inUse({ DASHBOARD_LISTEN: listen, ...environmentOf(addresses) })
  if (taken.length > 0) throw new Error(taken.join('\n'))
  const { facts, stop } = await startInstallation({
    dataDir: dataDirOf(env),
    addresses,
    databaseUrl: env['DATABASE_URL'],
    given: env,
    // Vite serves the site, so sessions and links in emails belong to it.
    env: { PUBLIC_URL: `http://${listen}`, DASHBOARD_DIR: '' },
    watchService: {
      restarted: () => process.stderr.write('The service has restarted with your change.\n'),
      failed: (why) => process.stderr.write(`The service has stopped. It restarts at your next change.\n  ${why}\n`),
    },
    onStep: (step) => process.stderr.write(`Starting ${step}…\n`),
  })
  const dashboard = await serveDashboard({ ...hostAndPort(listen), service: facts.base_url }).catch(async (error) => {
    await stop()
    throw error
  })
  const more = `Open ${facts.dashboard_url}. The service restarts when you change one of its files, and the dashboard updates
in the browser when you change one of its own. The log of the service is logs/service.log in the data directory.

`
  return {
    facts,
    more,
    stop: async () => {
      await dashboard.stop()
      await stop()
    },
  }
})
