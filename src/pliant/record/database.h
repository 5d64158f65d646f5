// SPDX-License-Identifier: MIT
#pragma once

// A thin hand around SQLite for this room only: a database, a prepared statement, a transaction.
//
// Every code SQLite returns becomes a pliant::Error in words about the file. Bound text and blobs
// are not copied: they must outlive run() or the last step().

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace pliant {

enum class DatabaseAccess { create, append, read };

class Database {
public:
    Database(std::string path, DatabaseAccess access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const char* sql) const;                             ///< one or more statements without results
    bool try_execute(const char* sql, int busy_milliseconds) const;  ///< false when it did not work
    std::int64_t integer(const char* sql) const;                     ///< first column of the first row, 0 without one

    /// Throws what `code` means for this file.
    [[noreturn]] void fail(int code) const;
    sqlite3* handle() const { return handle_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    sqlite3* handle_ = nullptr;
};

/// A statement with ? parameters, numbered from 1; result columns are numbered from 0.
class Statement {
public:
    Statement(const Database& database, const char* sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int parameter, std::int64_t value);
    Statement& bind(int parameter, double value);
    Statement& bind(int parameter, std::string_view text);
    Statement& bind(int parameter, std::span<const std::byte> blob);
    void run();   ///< executes a statement without results and makes it ready for the next time
    bool step();  ///< goes to the next row; false after the last

    std::int64_t integer(int column) const;
    double real(int column) const;  ///< NULL is not a number
    std::string text(int column) const;
    std::span<const std::byte> blob(int column) const;  ///< valid until the next step()

private:
    void check(int code) const;
    const Database& database_;
    sqlite3_stmt* handle_ = nullptr;
};

/// Undone at the end of its scope unless committed.
class Transaction {
public:
    explicit Transaction(const Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    const Database& database_;
    bool open_ = true;
};

}  // namespace pliant
