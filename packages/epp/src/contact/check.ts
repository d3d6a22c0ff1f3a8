import { check, checkData } from '../content/availability.ts'
import { clientId } from '../content/eppcom.ts'
import { contact } from './parts.ts'

/** RFC 5733 §3.1.1. */
export const contactCheck = check(contact('id'), clientId)
export const contactCheckData = checkData(contact, 'id', clientId)
