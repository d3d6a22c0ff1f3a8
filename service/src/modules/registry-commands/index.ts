export { absenceIn, isMissing, isNoTransfer, isNoTransferOfOurs, isOfAnother, untilConfirmedS } from './absence.ts'
export { type Answer, isEchoCode, meaningOf } from './answers.ts'
export { backOffS, waits } from './back-off.ts'
export {
  type ChangeCommand,
  type DomainUpdate,
  isDomainUpdate,
  isOpen,
  type OrderCommand,
  type RecordedCommand,
} from './command.ts'
export { commandFigures } from './figures.ts'
export { newAuthCode, newContactId } from './registry-ids.ts'
export { type Given, sendCommand } from './send-command.ts'
export { changeCommands, orderCommands, settleCommand } from './store.ts'
