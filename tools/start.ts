// `npm start`: a whole Zonewright on this machine, with a demo account, until it is interrupted.
import { dataDirOf } from '@zonewright/service/data-dir'
import { documentedAddresses } from './local/addresses.ts'
import { runInForeground } from './local/foreground.ts'
import { startInstallation } from './local/installation.ts'

const { env } = process

await runInForeground(() =>
  startInstallation({
    dataDir: dataDirOf(env),
    addresses: documentedAddresses(env),
    databaseUrl: env['DATABASE_URL'],
    given: env,
    onStep: (step) => process.stderr.write(`Starting ${step}…\n`),
  }),
)
