# Logs in to a registry with Net::EPP::Simple, checks names, registers nothing, and logs out.
# Arguments: host, port, folder of the registrar's files, names.
use strict;
use warnings;
use Net::EPP::Simple;

my ($host, $port, $folder, @names) = @ARGV;
open(my $file, '<', "$folder/zonewright.password") or die "no password: $!";
chomp(my $password = <$file>);

my $epp = Net::EPP::Simple->new(
  host => $host,
  port => $port,
  user => 'zonewright',
  pass => $password,
  key => "$folder/zonewright-key.pem",
  cert => "$folder/zonewright.pem",
  verify => 1,
  ca_file => "$folder/ca.pem",
  SSL_hostname => 'epp.nic.test',
  SSL_verifycn_name => 'epp.nic.test',
  load_config => 0,
  reconnect => 0,
  timeout => 60,
) or die "no session: $Net::EPP::Simple::Code $Net::EPP::Simple::Message";

for my $name (@names) {
  my $available = $epp->check_domain($name);
  die "no answer about $name: $Net::EPP::Simple::Message" unless defined $available;
  print "$name $available\n";
}
$epp->logout or die 'not logged out';
