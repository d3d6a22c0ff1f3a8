export { mailJobs } from './jobs.ts'
export * from './messages/index.ts'
export { type Mail, queueMail } from './queue-mail.ts'
export { type MailsOptions, startMails } from './start-mails.ts'
