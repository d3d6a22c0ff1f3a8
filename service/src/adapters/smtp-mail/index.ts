export { createSmtpMail, type SmtpMailOptions } from './smtp-mail.ts'
