import { readerFor, type Shown } from '#platform/figures/database-figures.ts'
import { type Db, sql } from '#platform/postgres/index.ts'

interface Unknown {
  readonly owner: 'order' | 'change'
  readonly commands: number
  readonly oldestS: number
}

const figures = [
  {
    name: 'zonewright_registry_commands_unknown',
    help: 'Registry commands with an unknown outcome.',
    value: 'commands',
  },
  {
    name: 'zonewright_registry_command_oldest_unknown_seconds',
    help: 'Age of the oldest registry command with an unknown outcome.',
    value: 'oldestS',
  },
] as const

/** Metrics of registry commands, by owner. While PostgreSQL is away they are NaN. */
export function showRegistryCommands(shown: Shown): void {
  const readOnce = readerFor(shown, readUnknown)
  for (const { name, help, value } of figures)
    shown.metrics.gauge({
      ...{ name, help, labelNames: ['owner'] as const },
      async collect() {
        const rows = await readOnce()
        for (const owner of ['order', 'change'] as const)
          this.set({ owner }, rows?.find((row) => row.owner === owner)?.[value] ?? Number.NaN)
      },
    })
}

async function readUnknown(db: Db): Promise<Unknown[]> {
  const { rows } = await sql<Unknown>`
    select owner, count(c.id)::int as commands, ${sql.ageS(sql`min(c.sent_at)`)} as "oldestS"
    from (values ('order'), ('change')) owners (owner)
    left join registry_commands c on c.state in ('sending', 'unknown') and (c.order_id is not null) = (owner = 'order')
    group by owner`.execute(db)
  return rows
}
