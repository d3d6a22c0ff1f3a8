import { type DoorOptions, textRefusal } from '#modules/doors/index.ts'

/**
 * The form of a refusal for PowerDNS clients.
 *
 * A refusal that the client can fix is JSON, as in PowerDNS. Every other one is text: pan-net's Terraform provider does not check the status when it
 * reads records, and takes every JSON object for a zone, so an error would look like a zone without records.
 */
export const powerdnsRefusal: DoorOptions['problem'] = (problem) => {
  const { code, message } = problem.body.error
  if (isText(problem.status)) return textRefusal(problem)
  const { status, error } = inJson(problem.status, code, message)
  return { status, type: 'application/json', body: JSON.stringify({ error }) }
}

function isText(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status >= 500
}

/** PowerDNS has the statuses 400, 404, 409, 413 and 422. */
function inJson(status: number, code: string, message: string): { status: number; error: string } {
  if (status === 404) return { status, error: 'Not Found' }
  if (code === 'zone_exists') return { status, error: 'Conflict' }
  return { status: status === 400 || status === 413 ? status : 422, error: message }
}
