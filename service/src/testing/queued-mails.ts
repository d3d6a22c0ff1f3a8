import { sql } from '#platform/postgres/index.ts'
import type { TestApi } from './test-api.ts'

/** A queued email with its text. */
interface QueuedMail {
  readonly kind: string
  readonly to: string
  readonly text: string
}

/** The emails in the queue of a test API, the oldest first. `to`: only those to this address. */
export async function queuedMails({ database, parts }: TestApi, to?: string): Promise<QueuedMail[]> {
  const { rows } = await sql<{ id: string; kind: string; to: string; content: Buffer }>`
    select id, kind, to_address as to, content from mails
    where content is not null and (${to ?? null}::text is null or to_address = ${to ?? null}) order by id`.execute(
    database.db,
  )
  return rows.map(({ id, content, ...mail }) => ({
    ...mail,
    text: JSON.parse(parts.secrets.open('mails.content', id, content)).text,
  }))
}

/** The token of the newest link that was sent to an email address. */
export async function mailedToken(api: TestApi, to: string): Promise<string> {
  const links = (await queuedMails(api, to)).flatMap(({ text }) => /https?:\S+\?token=\S+/.exec(text) ?? [])
  return new URL(links.at(-1) ?? '').searchParams.get('token') ?? ''
}
