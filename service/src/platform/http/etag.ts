import { Refusal } from '../errors.ts'

/** The ETag of a zone's content: its version, not its serial. */
export function etagOf(version: number): string {
  return `"${version}"`
}

/** The versions that `If-Match` lists, any of which may match (RFC 9110 §13.1.1); undefined when the header is missing or `*`. */
export type IfMatch = readonly number[] | undefined

/** Reads the header; throws `precondition_failed` when no zone can have any of its tags. */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined || header.trim() === '*') return undefined
  // Others are tags that no zone can have: weak, or not one of ours. Nothing matches them.
  const versions = header.split(',').flatMap((tag) => /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1] ?? [])
  if (versions.length === 0) throw preconditionFailed()
  return versions.map(Number)
}

/** Throws `precondition_failed` when a zone has none of the versions that `If-Match` requires. */
export function refuseMoved(ifMatch: IfMatch, version: number): void {
  if (ifMatch !== undefined && !ifMatch.includes(version)) throw preconditionFailed()
}

function preconditionFailed(): Refusal {
  return new Refusal(
    'precondition_failed',
    'The zone has changed since you read it. Read it again, then repeat the change.',
  )
}
