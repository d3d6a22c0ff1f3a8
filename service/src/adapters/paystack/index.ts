export { createPaystack, type PaystackOptions } from './paystack.ts'
