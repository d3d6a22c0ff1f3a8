import { type Db, sql } from '#platform/postgres/index.ts'

interface Unknown {
  readonly owner: 'order' | 'change'
  readonly commands: number
  readonly oldestS: number
}

/** Metrics of registry commands with an unknown outcome, by owner. */
export const commandFigures = {
  label: 'owner',
  values: ['order', 'change'],
  helps: {
    zonewright_registry_commands_unknown: 'Registry commands with an unknown outcome.',
    zonewright_registry_command_oldest_unknown_seconds: 'Age of the oldest registry command with an unknown outcome.',
  },
  async read(db: Db) {
    const { rows } = await sql<Unknown>`
      select owner, count(c.id)::int as commands, ${sql.ageS(sql`min(c.sent_at)`)} as "oldestS"
      from (values ('order'), ('change')) owners (owner)
      left join registry_commands c on c.state in ('sending', 'unknown') and (c.order_id is not null) = (owner = 'order')
      group by owner`.execute(db)
    return new Map(
      rows.map(({ owner, commands, oldestS }) => [
        owner,
        {
          zonewright_registry_commands_unknown: commands,
          zonewright_registry_command_oldest_unknown_seconds: oldestS,
        },
      ]),
    )
  },
}
