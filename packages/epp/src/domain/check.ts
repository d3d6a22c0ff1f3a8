import { check, checkData } from '../content/availability.ts'
import { label } from '../content/eppcom.ts'
import { domain } from './parts.ts'

/** RFC 5731 §3.1.1. */
export const domainCheck = check(domain('name'), label)
export const domainCheckData = checkData(domain, 'name', label)
