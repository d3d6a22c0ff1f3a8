import type { DoorOptions } from './doors.ts'

/** The refusals of a door whose protocol does not define any: the API's sentence as text, with its status. */
export const textRefusal: DoorOptions['problem'] = ({ status, body }) => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body.error.message}\n`,
})
