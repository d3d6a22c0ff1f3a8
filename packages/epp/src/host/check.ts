import { check, checkData } from '../content/availability.ts'
import { label } from '../content/eppcom.ts'
import { host } from './parts.ts'

/** RFC 5732 §3.1.1. */
export const hostCheck = check(host('name'), label)
export const hostCheckData = checkData(host, 'name', label)
