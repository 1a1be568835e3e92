// Package diff compares the events of two logs: a log and its repair, or any other
// two. What is no event, such as the container or a torn tail, it does not see.
package diff
