// SPDX-License-Identifier: MIT
#include <pliant/record/database.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include <sqlite3.h>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr int kBusyMilliseconds = 5000;  // a reader may have to wait for a checkpoint to end

// SQLite gives ":memory:" and "" a meaning of their own; an absolute path never has one.
std::string absolute_path(const std::string& path)
{
    std::error_code ignored;
    const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
    return absolute.empty() ? path : absolute.string();
}

int open_flags(DatabaseAccess access)
{
    switch (access) {
    case DatabaseAccess::create:
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case DatabaseAccess::append:
        return SQLITE_OPEN_READWRITE;
    case DatabaseAccess::read:
        break;
    }
    return SQLITE_OPEN_READONLY;
}

std::string system_reason(sqlite3* handle)
{
    const int code = handle == nullptr ? 0 : sqlite3_system_errno(handle);
    return code == 0 ? std::string() : std::string(": ") + std::strerror(code);
}

}  // namespace

Database::Database(std::string path, DatabaseAccess access) : path_(std::move(path))
{
    const int flags = open_flags(access) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(absolute_path(path_).c_str(), &handle_, flags, nullptr);
    try {
        if (code != SQLITE_OK) fail(code);
        // A take may come from anywhere: its schema may not call functions or rewrite itself.
        sqlite3_busy_timeout(handle_, kBusyMilliseconds);
        sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        execute("PRAGMA cell_size_check = ON");
    } catch (...) {
        sqlite3_close(handle_);
        throw;
    }
}

Database::~Database()
{
    sqlite3_close(handle_);
}

void Database::execute(const char* sql) const
{
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

bool Database::try_execute(const char* sql, int busy_milliseconds) const
{
    sqlite3_busy_timeout(handle_, busy_milliseconds);
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    sqlite3_busy_timeout(handle_, kBusyMilliseconds);
    return code == SQLITE_OK;
}

std::int64_t Database::integer(const char* sql) const
{
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

void Database::fail(int code) const
{
    const std::string reason = system_reason(handle_);
    const auto cannot = [this](std::string message, std::string cure = {}) {
        return Error(Problem{path_, 0, "", std::move(message), std::move(cure)}, ErrorKind::cannot_access);
    };
    const auto bad = [this](std::string message, std::string cure = {}) {
        return Error(Problem{path_, 0, "", std::move(message), std::move(cure)}, ErrorKind::bad_input);
    };
    switch (code & 0xff) {
    case SQLITE_FULL:
        throw cannot("the disk is full", "free some space, then go on with --resume");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        throw cannot("cannot be opened" + reason);
    case SQLITE_READONLY:
        throw cannot("cannot be written" + reason);
    case SQLITE_IOERR:
        throw cannot("reading or writing failed" + reason);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CONSTRAINT:
        throw cannot("another program is writing this recording", "wait for it or use another -o");
    case SQLITE_NOTADB:
        throw bad("is not a pliant recording");
    case SQLITE_CORRUPT:
        throw bad("the recording is damaged", "sqlite3 FILE .recover saves what can be read");
    default:
        throw bad(std::string("SQLite says: ") + (handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code)));
    }
}

Statement::Statement(const Database& database, const char* sql) : database_(database)
{
    check(sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

Statement::~Statement()
{
    sqlite3_finalize(handle_);
}

void Statement::check(int code) const
{
    if (code != SQLITE_OK) database_.fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value)
{
    check(sqlite3_bind_int64(handle_, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, double value)
{
    check(sqlite3_bind_double(handle_, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text)
{
    const char* data = text.data() == nullptr ? "" : text.data();
    check(sqlite3_bind_text64(handle_, parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob)
{
    const void* data = blob.empty() ? static_cast<const void*>("") : blob.data();
    check(sqlite3_bind_blob64(handle_, parameter, data, blob.size(), SQLITE_STATIC));
    return *this;
}

void Statement::run()
{
    const int code = sqlite3_step(handle_);
    sqlite3_reset(handle_);
    if (code != SQLITE_DONE && code != SQLITE_ROW) database_.fail(code);
}

bool Statement::step()
{
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    sqlite3_reset(handle_);
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const
{
    if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const
{
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::span<const std::byte> Statement::blob(int column) const
{
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(handle_, column));
    if (data == nullptr) return {};
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Transaction::Transaction(const Database& database) : database_(database)
{
    database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction()
{
    if (open_) database_.try_execute("ROLLBACK", 0);
}

void Transaction::commit()
{
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace pliant
