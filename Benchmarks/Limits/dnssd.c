// SPDX-License-Identifier: Apache-2.0
// What an agent does to meet another one, and nothing else, by the dns_sd library alone: listen,
// register, browse, resolve, look the address up, connect.
//
//   dnssd stay ADDRESS    is there to be found; prints `ready` once it is published
//   dnssd meet ADDRESS    finds that one; prints the time of the connection (CLOCK_MONOTONIC, ns)
//   dnssd seek ADDRESS    the same, but browses before it registers
//
// ADDRESS is that of the own host. Two services of one type may be on the network, no more.
// link: -ldns_sd
// needs: /usr/include/dns_sd.h libavahi-compat-libdnssd-dev
#include "ends.h"

#include <arpa/inet.h>
#include <dns_sd.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

static const char type[] = "_seatbench._tcp", domain[] = "local.";
enum { SECONDS = 30, REFERENCES = 4 };
enum { REGISTERED, BROWSED, RESOLVED, FOUND };

static DNSServiceRef references[REFERENCES];
static char label[17], host[256];
static uint16_t port;
static int isMeeting;

static void must(DNSServiceErrorType code, const char *what)
{
    if (code != kDNSServiceErr_NoError) {
        fprintf(stderr, "%s: dns_sd error %d\n", what, code);
        exit(1);
    }
}

static void found(DNSServiceRef reference, DNSServiceFlags flags, uint32_t interface,
                  DNSServiceErrorType code, const char *name, uint16_t kind, uint16_t class,
                  uint16_t size, const void *data, uint32_t ttl, void *context)
{
    (void)reference, (void)interface, (void)name, (void)kind, (void)class, (void)ttl, (void)context;
    must(code, "address");
    if (size != 4 || !(flags & kDNSServiceFlagsAdd))
        return;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = port};
    memcpy(&place.sin_addr, data, 4);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (line < 0 || connect(line, (struct sockaddr *)&place, sizeof place) != 0)
        fail("cannot connect");
    printf("%lld\n", (long long)nanoseconds());
    fflush(stdout);
    // As a process that is killed: the library's own farewell takes its time.
    _exit(0);
}

static void resolved(DNSServiceRef reference, DNSServiceFlags flags, uint32_t interface,
                     DNSServiceErrorType code, const char *name, const char *target,
                     uint16_t targetPort, uint16_t size, const unsigned char *text, void *context)
{
    (void)reference, (void)flags, (void)name, (void)size, (void)text, (void)context;
    must(code, "resolve");
    if (references[FOUND])
        return;
    port = targetPort;
    snprintf(host, sizeof host, "%s", target);
    must(DNSServiceQueryRecord(&references[FOUND], 0, interface, host, kDNSServiceType_A,
                               kDNSServiceClass_IN, found, NULL),
         "query");
}

static void browsed(DNSServiceRef reference, DNSServiceFlags flags, uint32_t interface,
                    DNSServiceErrorType code, const char *name, const char *its, const char *where,
                    void *context)
{
    (void)reference, (void)its, (void)where, (void)context;
    must(code, "browse");
    if (!isMeeting || !(flags & kDNSServiceFlagsAdd) || strcmp(name, label) == 0
        || references[RESOLVED])
        return;
    must(DNSServiceResolve(&references[RESOLVED], 0, interface, name, type, domain, resolved, NULL),
         "resolve");
}

static void registered(DNSServiceRef reference, DNSServiceFlags flags, DNSServiceErrorType code,
                       const char *name, const char *its, const char *where, void *context)
{
    (void)reference, (void)flags, (void)name, (void)its, (void)where, (void)context;
    must(code, "register");
    if (!isMeeting) {
        puts("ready");
        fflush(stdout);
    }
}

// A listener on the own host; gives its port as the network has it.
static uint16_t listener(const char *own)
{
    struct sockaddr_in place = {.sin_family = AF_INET};
    socklen_t size = sizeof place;
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (inet_pton(AF_INET, own, &place.sin_addr) != 1 || line < 0
        || bind(line, (struct sockaddr *)&place, size) != 0 || listen(line, SOMAXCONN) != 0
        || getsockname(line, (struct sockaddr *)&place, &size) != 0)
        fail("cannot listen");
    return place.sin_port;
}

static void browse(void)
{
    must(DNSServiceBrowse(&references[BROWSED], 0, 0, type, domain, browsed, NULL), "browse");
}

static void turn(void)
{
    struct pollfd waiting[REFERENCES];
    int places[REFERENCES], count = 0;
    for (int place = 0; place < REFERENCES; place++) {
        if (references[place]) {
            waiting[count].fd = DNSServiceRefSockFD(references[place]);
            waiting[count].events = POLLIN;
            places[count++] = place;
        }
    }
    int ready = poll(waiting, (nfds_t)count, isMeeting ? SECONDS * 1000 : -1);
    if (ready == 0) {
        fprintf(stderr, "nobody was found in %d s\n", SECONDS);
        exit(1);
    }
    for (int place = 0; place < count; place++) {
        if (waiting[place].revents)
            must(DNSServiceProcessResult(references[places[place]]), "the daemon");
    }
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    int isSeeking = strcmp(words[1], "seek") == 0;
    isMeeting = isSeeking || strcmp(words[1], "meet") == 0;
    setenv("AVAHI_COMPAT_NOWARN", "1", 1);
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        fail("getrandom");
    snprintf(label, sizeof label, "%016llx", (unsigned long long)random);
    uint16_t own = listener(words[2]);
    if (isSeeking)
        browse();
    must(DNSServiceRegister(&references[REGISTERED], 0, 0, label, type, domain, NULL, own, 1, "",
                            registered, NULL),
         "register");
    if (!isSeeking)
        browse();
    for (;;)
        turn();
}
