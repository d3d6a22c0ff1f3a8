/** Labels that no one can claim, because they would look like the service, a mail server or a name server, or like a name of a protocol. */
export const reservedLabels: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app apps auth autoconfig autodiscover beta billing blog broadcasthost cdn
  chat cloud console contact control cpanel dashboard demo dev direct dns docs domain domains download email example faq
  feedback files forum ftp git help home hostmaster imap info internal invalid isatap jobs legal local localdomain localhost
  login mail mailer-daemon manage marketing mta-sts mx my network news noc nobody noreply no-reply ns ns0 ns1 ns2 ns3 ns4
  official openid operator owner panel password pay payment payments pop pop3 portal postmaster press privacy proxy public
  register registrar registry root sales security secure server service settings shop signin signup site smtp ssl sso stage
  staging static stats status store support sys sysadmin system team terms test tls trust undefined update upload usenet
  user username verify vpn webdisk webmail webmaster whois wiki wpad www www1 www2 zone zones zonewright`.split(/\s+/),
)
