// One endpoint of libfabric, with one completion queue.
// SPDX-License-Identifier: BSD-3-Clause
//
// Delivery is asked to be complete with each write (as a default it is ignored by some providers) but where a
// stream keeps messages behind writes, and
// completions are counted by queue entries (counters of some providers run ahead of the data): see
// docs/design/between-nodes.md for the measurements.
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>

#include "engine/fabric_endpoint.hpp"
#include "os/tcp_connections.hpp"
#include "os/tcp_probe.hpp"

namespace atrium {
namespace {

// libfabric wants a context of its own with each operation, valid until it completes.
struct PostedOperation {
  fi_context2 context;  // first: its address is what completions carry
  void* token = nullptr;
  EngineEvent::Kind kind = EngineEvent::Kind::sent;
  PostedOperation* next = nullptr;
  bool given_up = false;  // a receive: no message comes any more
};

class OperationPool {
 public:
  PostedOperation* take(EngineEvent::Kind kind, void* token) {
    if (!free_) {
      all_.emplace_back();
      free_ = &all_.back();
    }
    PostedOperation* operation = free_;
    free_ = operation->next;
    operation->token = token;
    operation->kind = kind;
    return operation;
  }
  void give_back(PostedOperation* operation) {
    operation->next = free_;
    free_ = operation;
  }

 private:
  std::deque<PostedOperation> all_;
  PostedOperation* free_ = nullptr;
};

template <class Fid>
void close_fid(Fid*& object) {
  if (object) fi_close(&object->fid);
  object = nullptr;
}

class Libfabric final : public Engine {
 public:
  explicit Libfabric(const FabricChoice& choice) : library_(*choice.library), info_(choice.info) {
    traits_.provider = info_->fabric_attr->prov_name;
    traits_.largest_message = info_->ep_attr->max_msg_size;
    traits_.largest_transfer = std::min<size_t>(info_->ep_attr->max_msg_size, largest_part);
    traits_.sends_after_writes = choice.sends_after_writes;
    // In a stream what comes later is there later, and to say that it is there is a message of the target's more: a
    // quarter of the time that a put of 16 KiB and its quiet take.
    tells_delivery_ = !(choice.sends_after_writes && choice.provider->over_tcp);
    traits_.connected = choice.provider->connected;
    traits_.pins_memory = pins_memory(*info_);
    fd_works_ = choice.provider->fd_works;
    over_tcp_ = choice.provider->over_tcp;
    traits_.shows_links = over_tcp_;
    traits_.costly_messages = over_tcp_;
  }

  ~Libfabric() override {
    close_fid(endpoint_);
    close_fid(region_);
    close_fid(queue_);
    close_fid(addresses_);
    close_fid(domain_);
    close_fid(fabric_);
    library_.free_info(info_);
  }

  Result<void> open(const NetworkRequest& request) {
    int status = library_.open_fabric(info_->fabric_attr, &fabric_, nullptr);
    if (status) return failed("fi_fabric", status);
    if ((status = fi_domain(fabric_, info_, &domain_, nullptr))) return failed("fi_domain", status);
    if (auto r = open_queue(); !r) return r.error();
    fi_av_attr addresses{};
    addresses.type = info_->domain_attr->av_type;
    if ((status = fi_av_open(domain_, &addresses, &addresses_, nullptr))) return failed("fi_av_open", status);
    if ((status = fi_endpoint(domain_, info_, &endpoint_, nullptr))) return failed("fi_endpoint", status);
    if ((status = fi_ep_bind(endpoint_, &addresses_->fid, 0))) return failed("fi_ep_bind", status);
    if ((status = fi_ep_bind(endpoint_, &queue_->fid, FI_TRANSMIT | FI_RECV)))
      return failed("fi_ep_bind", status);
    status = fi_setopt(&endpoint_->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &request.message,
                       sizeof request.message);
    if (status) return failed("fi_setopt(FI_OPT_MIN_MULTI_RECV)", status);
    if ((status = fi_enable(endpoint_))) return failed("fi_enable", status);
    return {};
  }

  const EngineTraits& traits() const override { return traits_; }

  Result<std::string> name() override {
    std::string text(256, '\0');
    size_t bytes = text.size();
    const int status = fi_getname(&endpoint_->fid, text.data(), &bytes);
    if (status) return failed("fi_getname", status);
    text.resize(bytes);
    return text;
  }

  Result<Peer> insert(std::string_view name) override {
    fi_addr_t address = FI_ADDR_UNSPEC;
    const int inserted = fi_av_insert(addresses_, name.data(), 1, &address, 0, nullptr);
    if (inserted != 1) return failed("fi_av_insert", inserted < 0 ? inserted : -FI_EINVAL);
    return Peer{address};
  }

  Result<RegionKey> register_region(void* start, size_t bytes, uint64_t wanted) override {
    close_fid(region_);
    constexpr uint64_t access = FI_REMOTE_READ | FI_REMOTE_WRITE;
    int status = fi_mr_reg(domain_, start, bytes, access, 0, wanted, 0, &region_, nullptr);
    if (!status && (info_->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0) {
      status = fi_mr_bind(region_, &endpoint_->fid, 0);
      if (!status) status = fi_mr_enable(region_);
    }
    if (status) return failed("fi_mr_reg", status);
    RegionKey region;
    region.key = fi_mr_key(region_);
    if ((info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0) region.base = reinterpret_cast<uint64_t>(start);
    return region;
  }

  Post send(Peer to, const void* data, size_t bytes, void* token) override {
    if (bytes <= info_->tx_attr->inject_size) {
      const ssize_t status = fi_inject(endpoint_, data, bytes, to);
      return status == 0 ? Post::done : refused("fi_inject", status);
    }
    PostedOperation* operation = pool_.take(EngineEvent::Kind::sent, token);
    return posted("fi_send", fi_send(endpoint_, data, bytes, nullptr, to, operation), operation);
  }

  Post post_receive(void* buffer, size_t bytes, void* token) override {
    PostedOperation& operation = receive_into(token);
    const iovec vector{buffer, bytes};
    fi_msg message{};
    message.msg_iov = &vector;
    message.iov_count = 1;
    message.addr = FI_ADDR_UNSPEC;
    message.context = &operation;
    const ssize_t status = fi_recvmsg(endpoint_, &message, FI_MULTI_RECV);
    return status == 0 ? Post::taken : refused("fi_recvmsg", status);
  }

  Post write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
             void* token) override {
    PostedOperation* operation = pool_.take(EngineEvent::Kind::written, token);
    const iovec vector{const_cast<void*>(source), bytes};
    const fi_rma_iov there{region.base + place, bytes, region.key};
    const fi_msg_rma message = rma_message(vector, there, to, operation);
    const uint64_t until = tells_delivery_ ? FI_DELIVERY_COMPLETE : 0;
    return posted("fi_writemsg", fi_writemsg(endpoint_, &message, until | FI_COMPLETION), operation);
  }

  Post read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
            void* token) override {
    PostedOperation* operation = pool_.take(EngineEvent::Kind::read, token);
    const iovec vector{dest, bytes};
    const fi_rma_iov there{region.base + place, bytes, region.key};
    const fi_msg_rma message = rma_message(vector, there, from, operation);
    return posted("fi_readmsg", fi_readmsg(endpoint_, &message, FI_COMPLETION), operation);
  }

  int poll(EngineEvent* completions, int room) override {
    constexpr int most = 32;
    fi_cq_data_entry entries[most];
    const auto wanted = static_cast<size_t>(std::min(room / 2, most));  // an entry may stand for two events
    const ssize_t got = fi_cq_read(queue_, entries, wanted);
    if (got == -FI_EAGAIN || got == 0) return report_given_up(completions, room);
    if (got == -FI_EAVAIL) return read_error(completions);
    if (got < 0) {
      error_ = failed("fi_cq_read", static_cast<int>(got));
      completions[0] = EngineEvent{};
      return 1;
    }
    int count = 0;
    for (ssize_t i = 0; i < got; ++i) count += add_event(entries[i], completions + count);
    return count;
  }

  int wait_fd() const override { return wait_fd_; }

  // A queue without a descriptor must not be asked: libfabric looks for one without a check.
  bool may_sleep() override {
    if (wait_fd_ < 0) return true;
    fid* queue = &queue_->fid;
    return fi_trywait(fabric_, &queue, 1) == FI_SUCCESS;
  }

  std::unique_ptr<Probe> probe(Peer whom) override {
    sockaddr_storage address{};
    size_t bytes = sizeof address;
    if (!over_tcp_ || fi_av_lookup(addresses_, whom, &address, &bytes) != 0) return nullptr;
    return begin_tcp_probe(reinterpret_cast<const sockaddr&>(address));
  }

  // libfabric does not report that it has replaced a connection, but it closes the old one's socket when it does. It does so in
  // fi_cq_read() alone, which makes progress, and so between no look at a socket and what is posted after it.
  std::vector<Link> links(Peer) override {
    std::vector<Link> links;
    for (const TcpConnection& each : tcp_connections())
      links.push_back({each.mine, each.theirs, each.descriptor, each.inode});
    return links;
  }
  bool stands(const Link& link) override {
    return TcpConnection{link.mine, link.theirs, link.descriptor, link.mark}.stands();
  }

  const Error& last_error() const override { return error_; }

 private:
  Result<void> open_queue() {
    fi_cq_attr attributes{};
    attributes.format = FI_CQ_FORMAT_DATA;
    attributes.size = 4096;
    attributes.wait_obj = fd_works_ ? FI_WAIT_FD : FI_WAIT_NONE;
    int status = fi_cq_open(domain_, &attributes, &queue_, nullptr);
    if (status && fd_works_) {
      attributes.wait_obj = FI_WAIT_NONE;
      status = fi_cq_open(domain_, &attributes, &queue_, nullptr);
    } else if (!status && fd_works_) {
      if (fi_control(&queue_->fid, FI_GETWAIT, &wait_fd_)) wait_fd_ = -1;
    }
    if (status) return failed("fi_cq_open", status);
    return {};
  }

  static fi_msg_rma rma_message(const iovec& here, const fi_rma_iov& there, Peer peer,
                                PostedOperation* operation) {
    fi_msg_rma message{};
    message.msg_iov = &here;
    message.iov_count = 1;
    message.addr = peer;
    message.rma_iov = &there;
    message.rma_iov_count = 1;
    message.context = operation;
    return message;
  }

  // One for each buffer, and never anything else's: what a stranger has announced into a buffer may come when that was used,
  // posted again and used again. Then the message is ignored.
  PostedOperation& receive_into(void* token) {
    const auto has_token = [&](const PostedOperation& each) { return each.token == token; };
    const auto found = std::find_if(receives_.begin(), receives_.end(), has_token);
    if (found != receives_.end()) return *found;
    PostedOperation& operation = receives_.emplace_back();
    operation.token = token;
    operation.kind = EngineEvent::Kind::received;
    return operation;
  }

  // A message came to nothing. What is left of its buffer may still be posted, or not: no library says so. A connected provider's
  // cancel() takes it back at once, if it is there, and then its completion, an error too, is in the queue.
  int lose_message(PostedOperation& receive, EngineEvent* out) {
    if (receive.given_up) return 0;
    if (traits_.connected) receive.given_up = fi_cancel(&endpoint_->fid, &receive) == 0;
    *out = {EngineEvent::Kind::lost, receive.token, nullptr, 0};
    return 1;
  }
  // Requires: the queue is empty.
  int report_given_up(EngineEvent* out, int room) {
    int count = 0;
    for (PostedOperation& receive : receives_) {
      if (!receive.given_up || count == room) continue;
      receive.given_up = false;
      out[count++] = {EngineEvent::Kind::buffer_used, receive.token, nullptr, 0};
    }
    return count;
  }

  int add_event(const fi_cq_data_entry& entry, EngineEvent* out) {
    auto* operation = static_cast<PostedOperation*>(entry.op_context);
    if (operation->kind != EngineEvent::Kind::received) {
      *out = {operation->kind, operation->token, nullptr, 0};
      pool_.give_back(operation);
      return 1;
    }
    int count = 0;
    if ((entry.flags & FI_RECV) != 0) {
      out[count++] = {EngineEvent::Kind::received, operation->token, static_cast<const char*>(entry.buf),
                      entry.len};
    }
    if ((entry.flags & FI_MULTI_RECV) != 0)
      out[count++] = {EngineEvent::Kind::buffer_used, operation->token, nullptr, 0};
    return count;
  }

  int read_error(EngineEvent* out) {
    fi_cq_err_entry entry{};
    if (fi_cq_readerr(queue_, &entry, 0) < 1) return 0;
    auto* operation = static_cast<PostedOperation*>(entry.op_context);
    if (!operation) {  // nothing that was begun here
      *out = {EngineEvent::Kind::lost, nullptr, nullptr, 0};
      return 1;
    }
    if (operation->kind == EngineEvent::Kind::received) return lose_message(*operation, out);
    char text[128];
    const char* because = fi_cq_strerror(queue_, entry.prov_errno, entry.err_data, text, sizeof text);
    error_ = Error{"an operation between nodes failed",
                   traits_.provider + ": " + library_.text_of(entry.err) +
                       (because && *because ? std::string(", ") + because : std::string()),
                   "", ""};
    *out = {EngineEvent::Kind::failed, operation->token, nullptr, 0};
    pool_.give_back(operation);
    return 1;
  }

  Post posted(const char* call, ssize_t status, PostedOperation* operation) {
    if (status == 0) return Post::taken;
    pool_.give_back(operation);
    return refused(call, status);
  }

  Post refused(const char* call, ssize_t status) {
    if (status == -FI_EAGAIN) return Post::later;
    error_ = failed(call, static_cast<int>(status));
    return Post::failed;
  }

  Error failed(const char* call, int status) const {
    return Error{"cannot use the network provider " + traits_.provider,
                 std::string(call) + ": " + library_.text_of(-status), "", ""};
  }

  const FabricLibrary& library_;
  fi_info* info_;
  EngineTraits traits_;
  bool fd_works_ = false, over_tcp_ = false, tells_delivery_ = true;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* queue_ = nullptr;
  fid_av* addresses_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  fid_mr* region_ = nullptr;
  int wait_fd_ = -1;
  OperationPool pool_;
  std::deque<PostedOperation> receives_;
  Error error_;
};

}  // namespace

EngineResult open_fabric_endpoint(const FabricChoice& choice, const NetworkRequest& request) {
  auto engine = std::make_unique<Libfabric>(choice);
  if (auto r = engine->open(request); !r) {
    return r.error()
        .while_doing("connecting the nodes of this job")
        .try_this("atrium-info --fabric, or another ATRIUM_NET");
  }
  return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace atrium
