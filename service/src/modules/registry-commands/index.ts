export { absenceIn, isMissing, isNoTransfer, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from './absence.ts'
export { type Answer, isEchoCode, meaningOf } from './answers.ts'
export { backOffS, waits } from './back-off.ts'
export {
  type ChangeCommand,
  type DomainUpdate,
  isDomainUpdate,
  type OrderCommand,
  type RecordedCommand,
} from './command.ts'
export { sendCommand } from './send-command.ts'
