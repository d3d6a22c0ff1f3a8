import { Refusal } from '../errors.ts'

/** The ETag of a zone's content: its version, not its serial. */
export function etagOf(version: number): string {
  return `"${version}"`
}

/** The version that `If-Match` asks for; undefined when the header is missing or `*`. */
export function parseIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const version = /^\s*"(\d{1,15})"\s*$/.exec(header)?.[1]
  // A tag that no zone can have: weak, or not one of ours. Nothing matches it.
  if (version === undefined) throw preconditionFailed()
  return Number(version)
}

/** Throws `precondition_failed` when a zone is not of the version that `If-Match` asked for. */
export function refuseMoved(ifMatch: number | undefined, version: number): void {
  if (ifMatch !== undefined && ifMatch !== version) throw preconditionFailed()
}

function preconditionFailed(): Refusal {
  return new Refusal(
    'precondition_failed',
    'The zone has changed since it was read. Read it again, then repeat the change.',
  )
}
